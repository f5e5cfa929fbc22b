#include "engine/shogi/eval/see.h"

#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/material.h"

namespace joseki::shogi {
namespace {

// Piece types by value, cheapest first; the king is last, since it may only end an exchange.
constexpr PieceType kByValue[] = {kPawn,     kLance,     kKnight,    kSilver, kProPawn,
                                  kProLance, kProKnight, kProSilver, kGold,   kBishop,
                                  kRook,     kHorse,     kDragon,    kKing};

// Type of the cheapest of `attackers`, whose square is stored in `square`. REQUIRES: attackers is
// not empty and its pieces are on their squares.
PieceType Cheapest(const Position& position, Bitboard attackers, Square& square) {
  if (!attackers.HasMany()) {
    square = First(attackers);
    return TypeOf(position.piece(square));
  }
  for (const PieceType t : kByValue) {
    if (const Bitboard of_kind = attackers & position.pieces(t)) {
      square = First(of_kind);
      return t;
    }
  }
  return kNoPieceType;
}

}  // namespace

bool SeeAtLeast(const Position& position, Move move, Value threshold) {
  const Square to = move.to();
  Bitboard occupied = position.occupied();
  Value balance = CaptureValue(TypeOf(position.piece(to))) - threshold;
  PieceType standing;  // type of the piece on `to`, captured next
  if (move.is_drop()) {
    standing = static_cast<PieceType>(move.dropped());
  } else {
    standing = TypeOf(position.piece(move.from()));
    occupied = occupied - Bit(move.from());
    if (move.promotes()) {
      balance += PromotionGain(standing);
      standing = Promoted(standing);
    }
  }
  if (balance < 0) return false;
  balance -= CaptureValue(standing);
  if (balance >= 0) return true;  // sufficient even if the piece is lost for nothing
  occupied |= Bit(to);

  // `balance` is for the side of `move`, after the side to capture has captured. A side that cannot
  // improve its result stops.
  Color side = ~position.side_to_move();
  bool ours = true;  // whether the exchange currently favours the side of `move`
  while (true) {
    const Bitboard attackers = position.Attackers(side, to, occupied) & occupied;
    if (!attackers) return ours;
    Square from = kNoSquare;
    const PieceType taker = Cheapest(position, attackers, from);
    // A king captures only unguarded pieces.
    if (taker == kKing) {
      const Bitboard guards = position.Attackers(~side, to, occupied - Bit(from)) & occupied;
      return guards ? ours : !ours;
    }
    occupied = occupied - Bit(from);
    side = ~side;
    ours = !ours;
    balance = -balance - 1 - CaptureValue(taker);
    if (balance >= 0) return ours;
  }
}

}  // namespace joseki::shogi
