#include "engine/search/shogi/edge_attack.h"

#include <algorithm>
#include <array>

#include "engine/search/shogi/knowledge.h"

namespace joseki::shogi {
namespace {

// The square that is for `attacker` what the given one is for Black.
constexpr Square Seen(Color attacker, int file, int rank) {
  const Square s = MakeSquare(file, rank);
  return attacker == kBlack ? s : kSquareCount - 1 - s;
}

}  // namespace

bool IsRipeForEdgeAttack(const Position& position) {
  constexpr int kEarlyEndgame = 2;
  const Color us = position.side_to_move();
  const Piece own_pawn = MakePiece(us, kPawn);
  const Piece other_pawn = MakePiece(~us, kPawn);
  const std::array<Square, 5> homes = {Seen(us, 7, 8), Seen(us, 7, 9), Seen(us, 8, 7),
                                       Seen(us, 8, 8), Seen(us, 8, 9)};
  return std::find(homes.begin(), homes.end(), position.king(us)) != homes.end() &&
         position.king(~us) == Seen(us, 8, 2) && position.hand(us).Has(kPawn) &&
         position.piece(Seen(us, 9, 4)) == other_pawn &&
         position.piece(Seen(us, 9, 6)) == own_pawn && position.piece(Seen(us, 9, 5)) == kNoPiece &&
         StageOf(position) >= kEarlyEndgame;
}

Move EdgeAttackStart(const Position& position) {
  const Color us = position.side_to_move();
  const Square from = Seen(us, 9, 6);
  const Square to = Seen(us, 9, 5);
  if (position.piece(from) != MakePiece(us, kPawn) || position.piece(to) != kNoPiece) return Move();
  return Move::Board(from, to);
}

bool BelongsToEdgeAttack(const Position& position, Move move, Color attacker) {
  const PieceType kind =
      move.is_drop() ? static_cast<PieceType>(move.dropped()) : TypeOf(position.piece(move.from()));
  if (kind == kKing || kind == kBishop || kind == kRook || kind == kHorse || kind == kDragon) {
    return false;
  }
  const Square to = attacker == kBlack ? move.to() : kSquareCount - 1 - move.to();
  return (FileOf(to) == 9 && RankOf(to) <= 4) || (FileOf(to) == 8 && RankOf(to) <= 6);
}

}  // namespace joseki::shogi
