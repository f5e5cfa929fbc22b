#pragma once

#include "engine/shogi/position.h"

// Combination evaluation after TACOS (J. Nagashima, section 4): what some pieces are worth together
// that tables, which see one at a time, cannot say.
namespace joseki::shogi {

// Own pieces that stand on these squares together, as Black sees them; both sides of the board.
struct CombinationPiece {
  PieceType type = kNoPieceType;
  uint8_t file = 0;
  uint8_t rank = 0;
};
struct Combination {
  static constexpr size_t kMost = 4;
  int value;
  CombinationPiece pieces[kMost];
};

// Sums over the board and its mirror, of those by hand and of those that
// `joseki-engine learn combine` found in games.
int CombinationsByHand(const Position& position, Color side);
int MinedCombinations(const Position& position, Color side);

}  // namespace joseki::shogi
