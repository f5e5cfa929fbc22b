#pragma once

#include "engine/core/value.h"
#include "engine/shogi/position.h"
#include "engine/shogi/types.h"

namespace joseki::shogi {

// Values of pieces on the board, by type; a pawn is 100.
inline constexpr Value kPieceValue[kPieceTypeCount] = {
    0, 100, 300, 320, 500, 860,  1010, 580,  // pawn, lance, knight, silver, bishop, rook, gold
    0, 560, 560, 570, 580, 1120, 1330};      // king, promoted pawn to silver, horse, dragon

// Values of pieces in hand: free to be dropped anywhere, but not yet placed.
inline constexpr Value kHandValue[kHandTypeCount] = {0, 115, 340, 350, 540, 930, 1090, 630};

// Gain of a capture: the piece leaves the board and enters the hand.
constexpr Value CaptureValue(PieceType t) {
  return t == kNoPieceType || t == kKing ? 0 : kPieceValue[t] + kHandValue[Unpromoted(t)];
}
// Material on board and in hand, for the side to move.
Value MaterialBalance(const Position& position);

constexpr Value PromotionGain(PieceType t) { return kPieceValue[Promoted(t)] - kPieceValue[t]; }

}  // namespace joseki::shogi
