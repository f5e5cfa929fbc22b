#pragma once

#include "engine/core/bitboard.h"
#include "engine/xiangqi/board.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// A chase: a move after which a piece of the other side is threatened that was not before, by
// whomever. Kings and pawns may threaten what they like. No king is chased (that is check) and no
// pawn that has not crossed the river.

// Whether `hunter` threatens `prey`, if it were its side's turn: it may take it, and either nobody
// may take it back, or it is worth less: a knight or cannon that takes a rook, an adviser or
// elephant that takes a rook, cannon or knight. A piece does not threaten one of its own kind that
// may take it in turn: that is an offer to exchange. What is pinned takes nothing; a check that
// stands already hinders nobody, since it has to be met by some move anyway.
// REQUIRES: pieces of different sides on both squares.
bool Threatens(const Board& board, Square hunter, Square prey);

// What `side` threatens by pieces that chase, of what may be chased.
Bitboard Threatened(const Board& board, Color side);

// What each side has chased by every one of its last `plies` / 2 moves, as squares of the pieces on
// the board now. REQUIRES: an even number of plies, none of them a capture or a pass.
struct Chased {
  Bitboard by[2];  // by colour of the chaser
};
Chased ChasedAllAlong(const Position& position, int plies);

}  // namespace joseki::xiangqi
