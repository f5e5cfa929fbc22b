#include "engine/shogi/eval/see.h"

#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/material.h"

namespace joseki::shogi {
namespace {

// Kinds by value, the cheapest first; the king last, since it may only end an exchange.
constexpr PieceType kByValue[] = {kPawn,     kLance,     kKnight,    kSilver, kProPawn,
                                  kProLance, kProKnight, kProSilver, kGold,   kBishop,
                                  kRook,     kHorse,     kDragon,    kKing};

// The kind of the cheapest of `attackers`, one of which is put into `square`.
// REQUIRES: attackers, whose pieces stand where they stood.
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
  PieceType standing;  // the piece on `to`, next to be taken
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
  if (balance >= 0) return true;  // even if the piece is lost for nothing
  occupied |= Bit(to);

  // `balance` is for the side of `move` after the side to take has taken; the side that cannot
  // better its lot stops.
  Color side = ~position.side_to_move();
  bool ours = true;  // whether the exchange stands in favour of the side of `move`
  while (true) {
    const Bitboard attackers = position.Attackers(side, to, occupied) & occupied;
    if (!attackers) return ours;
    Square from = kNoSquare;
    const PieceType taker = Cheapest(position, attackers, from);
    // A king takes only unguarded pieces.
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
