#pragma once

#include "engine/core/value.h"
#include "engine/xiangqi/eval/phased.h"
#include "engine/xiangqi/position.h"

// Values of pieces by C. Ye's thesis: a pawn is 100; knights and cannons swap values towards the
// end. Move ordering, exchanges and cuts of the search use them; the evaluation is trained from
// them.
namespace joseki::xiangqi {

inline constexpr Phased kYeValue[kPieceTypeCount] = {
    {0, 0}, {0, 0}, {300, 300}, {300, 300}, {800, 900}, {1800, 1800}, {900, 800}, {100, 100}};
inline constexpr Value kCrossedPawnGain = 100;

// Gain of capturing a piece, in any phase; 0 for an empty square.
inline constexpr Value kCaptureValue[kPieceTypeCount] = {0, 7000, 300, 300, 850, 1800, 850, 100};
constexpr Value CaptureValue(Piece piece, Square s) {
  const PieceType t = TypeOf(piece);
  const bool crossed = t == kPawn && HasCrossedRiver(ColorOf(piece), s);
  return kCaptureValue[t] + (crossed ? kCrossedPawnGain : 0);
}

// The phase, at most kFullPhase.
int PhaseOf(const Position& position);
// Material, for the side to move.
Value MaterialBalance(const Position& position);

}  // namespace joseki::xiangqi
