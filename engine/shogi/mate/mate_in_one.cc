#include "engine/shogi/mate/mate_in_one.h"

#include "engine/shogi/attacks.h"

namespace joseki::shogi {
namespace {

// Squares to which the king of the side not to move could go without capturing.
Bitboard Escapes(const Position& position) {
  const Color us = position.side_to_move();
  const Square king = position.king(~us);
  Bitboard escapes;
  ForEach(StepAttacks(~us, kKing, king) - position.occupied(), [&](Square to) {
    if (!position.AttackersThroughKing(us, to)) escapes |= Bit(to);
  });
  return escapes;
}

}  // namespace

Move MateInOne(Position& position) {
  MoveList checks;
  position.Generate<GenType::kChecks>(checks);
  return MateInOne(position, checks);
}

Move MateInOne(Position& position, const MoveList& checks) {
  if (checks.empty()) return Move();
  const Color us = position.side_to_move();
  const Square king = position.king(~us);
  const Bitboard escapes = Escapes(position);
  const Occupancy without_king(position.occupied() - Bit(king));
  for (const Move move : checks) {
    if (move.is_drop()) {
      // Most drops fail here: a drop blocks only the squares it attacks and its own, and opens no
      // line.
      const auto t = static_cast<PieceType>(move.dropped());
      const Bitboard taken = Attacks(us, t, move.to(), without_king) | Bit(move.to());
      if (escapes - taken) continue;
    }
    Undo undo;
    position.Do(move, undo);
    const bool mate = !position.HasLegalMove();
    position.TakeBack(move, undo);
    if (mate) return move;
  }
  return Move();
}

}  // namespace joseki::shogi
