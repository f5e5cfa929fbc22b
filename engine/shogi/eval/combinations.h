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

// The sum of those by hand, over the board and its mirror.
int CombinationsByHand(const Position& position, Color side);
// The sum of those that `joseki-engine learn combine` found in games, in the frame that it counts
// them in: the board or its mirror, so that the side's king stands on files 1 to 5. 0 without king.
int MinedCombinations(const Position& position, Color side);
// True if that frame is the mirror. REQUIRES: `king` is a square of the board.
bool IsMirrored(Square king, Color side);

}  // namespace joseki::shogi
