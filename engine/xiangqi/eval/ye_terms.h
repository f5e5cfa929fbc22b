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

// Points for each pawn across the river with no piece of the other side ahead but the king, on its
// file or a neighbouring one. 15 in the opening, then 30.
int PassedPawns(const Position& position, Color side);

// Penalty of a root move, 0 or less, whatever its line. In the opening: 30 if the side's previous
// move was by the same piece; 30 if a cannon takes a pawn without giving check. While half of the
// attacking pieces are left: 40 if the king leaves a file or rank on which a cannon faces it
// directly. Such a move only stops what the cannon is rewarded for. REQUIRES: `move` is legal.
Value FirstMoveMalus(const Position& position, Move move);

}  // namespace joseki::xiangqi
