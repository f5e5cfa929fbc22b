#pragma once

#include "engine/core/bitboard.h"
#include "engine/shogi/attacks.h"
#include "engine/shogi/position.h"

// Finds the checking moves of a position; prepared once for many moves.
namespace joseki::shogi {

class CheckSquares {
 public:
  // Finds checks by the side to move; there are none if the other side has no king.
  explicit CheckSquares(const Position& position)
      : CheckSquares(position, Occupancy(position.occupied())) {}
  // REQUIRES: `lines` is made from the position's occupied squares.
  CheckSquares(const Position& position, const Occupancy& lines);

  // Squares from which a piece of type `t`, not a king, attacks the other king.
  Bitboard Of(PieceType t) const { return squares_[t]; }
  // Our pieces that give check by leaving their line.
  Bitboard Discoverers() const { return discoverers_; }
  // The discoverer's line, from the king through `from`. REQUIRES: `from` holds a discoverer.
  Bitboard LineThrough(Square from) const {
    return kAttacks.ray[kAttacks.direction[king_][from]][king_];
  }
  // True if a legal `move` gives check; equal to Position::GivesCheck.
  bool Given(const Position& position, Move move) const {
    const Square to = move.to();
    if (move.is_drop()) return Has(squares_[move.dropped()], to);
    const Square from = move.from();
    const PieceType t = TypeOf(position.piece(from));
    if (Has(squares_[move.promotes() ? Promoted(t) : t], to)) return true;
    return Has(discoverers_, from) && !Has(LineThrough(from), to);
  }

 private:
  Bitboard squares_[kPieceTypeCount];
  Bitboard discoverers_;
  Square king_;
};

// Defined here for the static analyzer, which otherwise reports uninitialised members.
inline CheckSquares::CheckSquares(const Position& position, const Occupancy& lines)
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
