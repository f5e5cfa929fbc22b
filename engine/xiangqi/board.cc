#include "engine/xiangqi/board.h"

namespace joseki::xiangqi {

Bitboard Board::Attackers(Color c, Square square, Bitboard occupied) const {
  const auto s = static_cast<size_t>(square);
  const auto other = static_cast<size_t>(Index(~c));
  Bitboard attackers = kAttacks.pawn_from[static_cast<size_t>(Index(c))][s] & by_type_[kPawn];
  if (kAttacks.knight_squares[s] & by_type_[kKnight]) {
    attackers |= KnightsReaching(square, occupied) & by_type_[kKnight];
  }
  // Steps of kings, advisers and elephants are symmetric.
  if (InPalace(c, square)) {
    const auto own = 1 - other;
    attackers |=
        (kAttacks.king[own][s] & by_type_[kKing]) | (kAttacks.adviser[own][s] & by_type_[kAdviser]);
  }
  attackers |= ElephantAttacks(square, occupied) & by_type_[kElephant];
  const Bitboard sliders = by_type_[kRook] | by_type_[kCannon];
  if (kAttacks.rook_rays[s] & sliders & occupied_[Index(c)]) {
    const Slides slides = SlidesFrom(square, occupied);
    attackers |= (slides.rook & by_type_[kRook]) | (slides.jump & by_type_[kCannon]);
  }
  return attackers & occupied_[Index(c)] & occupied;
}

Bitboard Board::Checkers(Color c, Square king, Bitboard among, Bitboard occupied) const {
  const auto k = static_cast<size_t>(king);
  Bitboard checkers = kAttacks.pawn_from[static_cast<size_t>(Index(c))][k] & by_type_[kPawn];
  if (kAttacks.knight_squares[k] & by_type_[kKnight]) {
    checkers |= KnightsReaching(king, occupied) & by_type_[kKnight];
  }
  // Usually few or no sliders are on a line with the king, so testing each is cheaper than a lookup
  // of the lines.
  ForEach(kAttacks.rook_rays[k] & (by_type_[kRook] | by_type_[kCannon] | by_type_[kKing]) & among,
          [&](Square s) {
            const Bitboard between = Between(king, s) & occupied;
            const bool attacks =
                TypeOf(board_[s]) == kCannon ? between && !between.HasMany() : !between;
            if (attacks) checkers |= Bit(s);
          });
  return checkers & among;
}

bool Board::IsSafe(Square from, Square to) const {
  const Color us = ColorOf(board_[from]);
  const Square king = from == kings_[Index(us)] ? to : kings_[Index(us)];
  const Bitboard after = (occupied() - Bit(from)) | Bit(to);
  return !Checkers(~us, king, occupied_[Index(~us)] - Bit(to), after);
}

}  // namespace joseki::xiangqi
