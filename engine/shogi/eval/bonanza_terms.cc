#include "engine/shogi/eval/bonanza_terms.h"

#include <algorithm>
#include <cstdlib>

#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/material.h"

namespace joseki::shogi {

int AttackedKinds(const Position& position, Color side) {
  constexpr int kPart = 40;
  const Occupancy occupied(position.occupied());
  int value = 0;
  for (const PieceType t : {kLance, kKnight, kBishop, kRook, kHorse, kDragon}) {
    ForEach(position.pieces(side, t), [&](Square s) {
      ForEach(Attacks(side, t, s, occupied) & position.occupied(~side), [&](Square target) {
        const PieceType attacked = TypeOf(position.piece(target));
        if (attacked != kKing) value += kPieceValue[attacked];
      });
    });
  }
  return value / kPart;
}

int BishopPawns(const Position& position, Color side) {
  constexpr int kPawnCost = 4;
  const auto colour = [](Square s) { return (FileOf(s) + RankOf(s)) % 2; };
  int pawns = 0;
  ForEach(position.pieces(side, kBishop) | position.pieces(side, kHorse), [&](Square bishop) {
    ForEach(position.pieces(side, kPawn),
            [&](Square pawn) { pawns += colour(pawn) == colour(bishop) ? 1 : 0; });
  });
  return -kPawnCost * pawns;
}

int KingRegion(const Position& position, Color side) {
  constexpr int kBeside = 8;
  constexpr int kFurther = 3;
  const Square king = position.king(side);
  if (king == kNoSquare) return 0;
  const Bitboard occupied = position.occupied();
  int cost = 0;
  for (Square s = 0; s < kSquareCount; ++s) {
    const int distance =
        std::max(std::abs(FileOf(s) - FileOf(king)), std::abs(RankOf(s) - RankOf(king)));
    if (distance > 2) continue;
    const int others = position.Attackers(~side, s, occupied).Count();
    const int own = (position.Attackers(side, s, occupied) - Bit(king)).Count();
    cost += std::max(others - own, 0) * (distance <= 1 ? kBeside : kFurther);
  }
  return -cost;
}

}  // namespace joseki::shogi
