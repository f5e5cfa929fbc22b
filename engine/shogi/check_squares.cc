#include "engine/shogi/check_squares.h"

namespace joseki::shogi {

CheckSquares::CheckSquares(const Position& position, const Occupancy& lines)
    : king_(position.king(~position.side_to_move())) {
  if (king_ == kNoSquare) return;
  const Color us = position.side_to_move();
  const Color them = ~us;
  for (const PieceType t : {kPawn, kKnight, kSilver, kGold}) {
    squares_[t] = StepAttacks(them, t, king_);
  }
  for (const PieceType t : {kProPawn, kProLance, kProKnight, kProSilver}) {
    squares_[t] = squares_[kGold];
  }
  squares_[kLance] = LanceAttacks(them, king_, lines.squares());
  squares_[kBishop] = BishopAttacks(king_, lines);
  squares_[kRook] = RookAttacks(king_, lines);
  squares_[kHorse] = squares_[kBishop] | StepAttacks(them, kHorse, king_);
  squares_[kDragon] = squares_[kRook] | StepAttacks(them, kDragon, king_);
  discoverers_ = position.Blockers(them) & position.occupied(us);
}

}  // namespace joseki::shogi
