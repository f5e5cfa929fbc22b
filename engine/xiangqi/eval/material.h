#pragma once

#include "engine/core/value.h"
#include "engine/xiangqi/eval/phased.h"
#include "engine/xiangqi/position.h"

// Values of pieces by C. Ye's thesis: a pawn 100, knights and cannons change places towards the
// end. Order, exchanges and cuts of the search go by these; the evaluation begins from them.
namespace joseki::xiangqi {

inline constexpr Phased kYeValue[kPieceTypeCount] = {
    {0, 0}, {0, 0}, {300, 300}, {300, 300}, {800, 900}, {1800, 1800}, {900, 800}, {100, 100}};
inline constexpr Value kCrossedPawnGain = 100;

// Gain of taking the piece on a square, in any phase; nothing for an empty square.
inline constexpr Value kCaptureValue[kPieceTypeCount] = {0, 7000, 300, 300, 850, 1800, 850, 100};
constexpr Value CaptureValue(Piece piece, Square s) {
  const PieceType t = TypeOf(piece);
  const bool crossed = t == kPawn && HasCrossedRiver(ColorOf(piece), s);
  return kCaptureValue[t] + (crossed ? kCrossedPawnGain : 0);
}

// kFullPhase at most.
int PhaseOf(const Position& position);
// The balance, from the side to move.
Value MaterialBalance(const Position& position);

}  // namespace joseki::xiangqi
