#include "engine/xiangqi/eval/material.h"

#include "engine/xiangqi/attacks.h"

namespace joseki::xiangqi {
namespace {

// Squares across the river, by colour.
constexpr Bitboard kBeyond[2] = {
    {(uint64_t{1} << 63) - (uint64_t{1} << 45), (uint64_t{1} << 27) - 1},
    {(uint64_t{1} << 45) - 1, 0}};

}  // namespace

int PhaseOf(const Position& position) {
  int phase = 0;
  for (const PieceType t : {kKnight, kRook, kCannon}) {
    phase += kPhaseOf[t] * position.pieces(t).Count();
  }
  return phase;
}

Value MaterialBalance(const Position& position) {
  const Color us = position.side_to_move();
  Phased sum;
  for (int t = kAdviser; t < kPieceTypeCount; ++t) {
    const auto type = static_cast<PieceType>(t);
    sum += kYeValue[t] * (position.pieces(us, type).Count() - position.pieces(~us, type).Count());
  }
  const auto crossed = [&](Color c) {
    return (position.pieces(c, kPawn) & kBeyond[Index(c)]).Count();
  };
  return sum.At(PhaseOf(position)) + kCrossedPawnGain * (crossed(us) - crossed(~us));
}

}  // namespace joseki::xiangqi
