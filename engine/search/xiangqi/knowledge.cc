#include "engine/search/xiangqi/knowledge.h"

#include "engine/xiangqi/attacks.h"

namespace joseki::xiangqi {
namespace {

uint32_t Mix(uint64_t a, uint64_t b) {
  const uint64_t sum = (a ^ b * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
  return static_cast<uint32_t>((sum ^ sum >> 32) * 0xD6E8FEB86659FD93u >> 32);
}
uint32_t Mix(Bitboard b) { return Mix(b.lo(), b.hi()); }

}  // namespace

int KingPressure(const Position& position, Color by) {
  const Square king = position.king(~by);
  int count = 0;
  ForEach(kAttacks.king[Index(~by)][static_cast<size_t>(king)], [&](Square s) {
    count += static_cast<bool>(position.board().Attackers(by, s, position.occupied()));
  });
  return count;
}

bool EscapesAttack(const Position& position, Move move, Move last) {
  if (TypeOf(position.piece(move.from())) != kRook) return false;
  const Board& board = position.board();
  const Color us = position.side_to_move();
  const Bitboard attackers = board.Attackers(~us, move.from(), board.occupied());
  if (!attackers || (last && !Has(attackers, last.to()))) return false;
  const Bitboard after = (board.occupied() - Bit(move.from())) | Bit(move.to());
  if (!(board.Attackers(~us, move.to(), after) - Bit(move.to()))) return true;
  return static_cast<bool>(board.Attackers(us, move.to(), after) - Bit(move.to()));
}

bool Meets(const Position& position, Move move, Move threat) {
  if (move.from() == threat.to() || move.to() == threat.to()) return true;
  const Color us = position.side_to_move();
  const Bitboard after = (position.occupied() - Bit(move.from())) | Bit(move.to());
  const PieceType threatener = TypeOf(position.piece(threat.from()));
  if (threatener != kNoPieceType &&
      !Has(Moves(~us, threatener, threat.from(), after | Bit(threat.to())), threat.to())) {
    return true;
  }
  const PieceType moved = TypeOf(position.piece(move.from()));
  return Has(Moves(us, moved, move.to(), after | Bit(threat.to())), threat.to());
}

std::array<uint32_t, 4> PartsOf(const Position& position) {
  const Bitboard guards =
      position.pieces(kKing) | position.pieces(kAdviser) | position.pieces(kElephant);
  const auto attackers = [&](Color c) {
    return Mix(Mix(position.pieces(c, kRook)), Mix(position.pieces(c, kKnight))) ^
           Mix(position.pieces(c, kCannon));
  };
  return {Mix(position.pieces(kPawn)), Mix(guards), attackers(kRed), attackers(kBlack)};
}

bool MayPass(const Position& position) {
  const Bitboard attackers =
      position.pieces(kRook) | position.pieces(kCannon) | position.pieces(kKnight);
  return (attackers & position.occupied(position.side_to_move())).HasMany();
}

}  // namespace joseki::xiangqi
