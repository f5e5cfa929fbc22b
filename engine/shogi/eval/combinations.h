#pragma once

#include "engine/shogi/position.h"

// Combination evaluation after TACOS (J. Nagashima, section 4): joint values of pieces, which
// tables of single pieces cannot express.
namespace joseki::shogi {

// Own pieces on these squares, as Black sees them; applies to both halves of the board.
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

// Sum of the hand-written combinations, over the board and its mirror image.
int CombinationsByHand(const Position& position, Color side);
// Sum of the combinations that `joseki-engine learn combine` found in games. They apply in a frame
// that mirrors the board if needed, so that the side's king is on files 1 to 5. 0 without a king.
int MinedCombinations(const Position& position, Color side);
// True if that frame is mirrored. REQUIRES: `king` is a square of the board.
bool IsMirrored(Square king, Color side);

}  // namespace joseki::shogi
