#pragma once

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/xiangqi/position.h"

// Terms of C. Ye's evaluation (Abyss, 1992) that the learned one lacks. He prints no sizes; these
// are ours, in hundredths of a pawn, symmetric between colours and between left and right. The
// opening lasts while at most a rook, or two knights or cannons, has gone.
namespace joseki::xiangqi {

// In the opening 6 for each rook, knight and cannon of the side that is off its starting points.
int Development(const Position& position, Color side);

// 15 for each pawn across the river that has no piece of the other side but the king ahead of it,
// on its file or one beside it; 30 once the opening is over.
int PassedPawns(const Position& position, Color side);

// What a root move loses, 0 or less, whatever comes of it. In the opening: 30 if the side's move
// before was by the same piece; 30 if a cannon takes a pawn without giving check. While half of the
// attacking pieces are left: 40 if the king leaves a file or rank on which a cannon looks at it
// with nothing between, which stops only what the cannon is rewarded for. REQUIRES: `move` is
// legal.
Value FirstMoveMalus(const Position& position, Move move);

}  // namespace joseki::xiangqi
