#pragma once

#include "engine/core/bitboard.h"
#include "engine/xiangqi/board.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// A chase: a move after which a piece of the other side is threatened that was not before, by
// whomever. Kings and pawns may threaten what they like. No king is chased (that is check) and no
// pawn that has not crossed the river.

// True if `hunter` threatens `prey`, if it were its side's turn: it may take it, and either no
// piece may take back, or it is worth less: a knight or cannon that takes a rook, an adviser or
// elephant that takes a rook, cannon or knight. A piece does not threaten one of its own kind that
// may take it in turn: that is an offer to exchange. A pinned piece takes nothing. A check that
// stands already hinders no piece, since some move has to meet it anyway. REQUIRES: pieces of
// different sides on both squares.
bool Threatens(const Board& board, Square hunter, Square prey);

// Pieces that `side` threatens by pieces that chase, of those that may be chased.
Bitboard Threatened(const Board& board, Color side);

// Pieces that each side has chased by every one of its last `plies` / 2 moves, as squares of the
// pieces on the board now. REQUIRES: an even number of plies, none of them a capture or a pass.
struct Chased {
  Bitboard by[2];  // by colour of the chaser
};
Chased ChasedAllAlong(const Position& position, int plies);

}  // namespace joseki::xiangqi
