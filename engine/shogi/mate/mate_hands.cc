#include "engine/shogi/mate/mate_hands.h"

#include <algorithm>

#include "engine/shogi/attacks.h"

namespace joseki::shogi {
namespace {

// The type that `move` captures; kNoPieceType if none.
PieceType Taken(const Position& position, Move move) {
  return Unpromoted(TypeOf(position.piece(move.to())));
}

}  // namespace

MateHand HeldBack(const Position& position, Color attacker) {
  MateHand needed;
  const Bitboard checkers = position.checkers();
  if (checkers.HasMany()) return needed;  // no piece can interpose
  if (!Between(position.king(~attacker), First(checkers))) return needed;
  for (int t = kPawn; t <= kGold; ++t) {
    const auto kind = static_cast<PieceType>(t);
    if (!position.hand(~attacker).Has(kind)) needed.Set(kind, position.hand(attacker).Count(kind));
  }
  return needed;
}

MateHand NoNewChecks(const Position& position, Color attacker) {
  MateHand most = kEveryPiece;
  const Square king = position.king(~attacker);
  if (king == kNoSquare) return most;
  const Bitboard free = kAllSquares - position.occupied();
  const Occupancy occupied(position.occupied());
  for (int t = kPawn; t <= kGold; ++t) {
    const auto kind = static_cast<PieceType>(t);
    if (position.hand(attacker).Has(kind)) continue;
    const Bitboard from = Attacks(~attacker, kind, king, occupied) & free;
    if (from - DeadSquares(attacker, kind)) most.Set(kind, 0);
  }
  return most;
}

MateHand ProofHandBefore(const Position& position, Move move, MateHand after) {
  if (move.is_drop()) {
    const auto kind = static_cast<PieceType>(move.dropped());
    after.Set(kind, after.Count(kind) + 1);
  } else if (const PieceType kind = Taken(position, move); kind != kNoPieceType) {
    after.Set(kind, std::max(after.Count(kind) - 1, 0));
  }
  return after;
}

MateHand DisproofHandBefore(const Position& position, Move move, MateHand after) {
  if (move.is_drop()) {
    const auto kind = static_cast<PieceType>(move.dropped());
    after.Set(kind, std::min(after.Count(kind) + 1, kFullSet[kind]));
  } else if (const PieceType kind = Taken(position, move); kind != kNoPieceType) {
    after.Set(kind, std::max(after.Count(kind) - 1, 0));
  }
  return after;
}

MateHand CutToHands(const Position& position, MateHand hand) {
  for (int t = kPawn; t <= kGold; ++t) {
    const auto kind = static_cast<PieceType>(t);
    const int both = position.hand(kBlack).Count(kind) + position.hand(kWhite).Count(kind);
    hand.Set(kind, std::min(hand.Count(kind), both));
  }
  return hand;
}

}  // namespace joseki::shogi
