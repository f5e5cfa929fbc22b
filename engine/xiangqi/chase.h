#pragma once

#include "engine/core/bitboard.h"
#include "engine/xiangqi/board.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// A chase is a move after which a piece of the other side is threatened, by any piece, that was not
// threatened before. Kings and pawns may threaten freely. Kings cannot be chased (that is check),
// nor pawns that have not crossed the river.

// True if `hunter` threatens `prey`, assuming it is its side's turn. It must be able to capture it,
// and the prey must be unprotected or worth more. Worth more are a rook to a knight or cannon; a
// rook, cannon or knight to an adviser or elephant. A piece does not threaten one of its own type
// that may capture it in turn: that is an offer to exchange. A pinned piece captures nothing. An
// existing check does not prevent captures, since some move has to meet it anyway. REQUIRES: pieces
// of different sides on both squares.
bool Threatens(const Board& board, Square hunter, Square prey);

// Pieces that may be chased and that pieces of `side`, other than kings and pawns, threaten.
Bitboard Threatened(const Board& board, Color side);

// Pieces that each side has chased with each of its last `plies` / 2 moves, as their present
// squares. REQUIRES: `plies` is even, and none of these moves is a capture or a pass.
struct Chased {
  Bitboard by[2];  // by colour of the chaser
};
Chased ChasedAllAlong(const Position& position, int plies);

}  // namespace joseki::xiangqi
