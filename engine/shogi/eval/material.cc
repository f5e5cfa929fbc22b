#include "engine/shogi/eval/material.h"

namespace joseki::shogi {
namespace {

Value MaterialOf(const Position& position, Color side) {
  Value sum = 0;
  for (int t = kPawn; t < kPieceTypeCount; ++t) {
    sum += kPieceValue[t] * position.pieces(side, static_cast<PieceType>(t)).Count();
  }
  const Hand hand = position.hand(side);
  for (int t = kPawn; t <= kGold; ++t) {
    sum += kHandValue[t] * hand.Count(static_cast<PieceType>(t));
  }
  return sum;
}

}  // namespace

Value MaterialBalance(const Position& position) {
  const Color side = position.side_to_move();
  return MaterialOf(position, side) - MaterialOf(position, ~side);
}

}  // namespace joseki::shogi
