#include "engine/shogi/eval/yss_terms.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/material.h"

namespace joseki::shogi {
namespace {

constexpr int kSeriesLength = 4;
constexpr int kSeries[kHandTypeCount][kSeriesLength] = {
    {},
    {15, 7, 2, 0},     // pawn
    {50, 22, 6, 0},    // lance
    {60, 27, 7, 0},    // knight
    {80, 36, 9, 0},    // silver
    {220, 98, 0, 0},   // bishop
    {230, 102, 0, 0},  // rook
    {90, 40, 10, 0},   // gold
};

// [ranks ahead, from 8 down to -8][files apart].
constexpr uint8_t kToEnemy[17][9] = {
    {50, 50, 50, 50, 50, 50, 50, 50, 50},     {50, 50, 50, 50, 50, 50, 50, 50, 50},
    {62, 60, 58, 52, 50, 50, 50, 50, 50},     {80, 78, 72, 67, 55, 51, 50, 50, 50},
    {100, 99, 95, 87, 78, 69, 50, 50, 50},    {140, 130, 110, 100, 95, 75, 54, 50, 50},
    {170, 160, 142, 114, 98, 80, 62, 55, 50}, {170, 165, 150, 121, 94, 78, 58, 52, 50},
    {170, 145, 137, 115, 91, 75, 57, 50, 50}, {132, 132, 129, 102, 84, 71, 51, 50, 50},
    {100, 97, 95, 85, 70, 62, 50, 50, 50},    {90, 85, 80, 68, 60, 53, 50, 50, 50},
    {70, 66, 62, 55, 52, 50, 50, 50, 50},     {54, 53, 51, 50, 50, 50, 50, 50, 50},
    {50, 50, 50, 50, 50, 50, 50, 50, 50},     {50, 50, 50, 50, 50, 50, 50, 50, 50},
    {50, 50, 50, 50, 50, 50, 50, 50, 50},
};
constexpr uint8_t kToOwn[17][9] = {
    {50, 50, 50, 50, 50, 50, 50, 50, 50},     {56, 53, 50, 50, 50, 50, 50, 50, 50},
    {64, 61, 55, 50, 50, 50, 50, 50, 50},     {79, 77, 70, 65, 54, 51, 50, 50, 50},
    {100, 99, 95, 87, 74, 58, 50, 50, 50},    {116, 117, 101, 95, 88, 67, 54, 50, 50},
    {131, 129, 124, 114, 90, 71, 59, 51, 50}, {137, 138, 132, 116, 96, 76, 61, 53, 50},
    {142, 142, 136, 118, 98, 79, 64, 52, 50}, {132, 132, 129, 109, 95, 75, 60, 51, 50},
    {121, 120, 105, 97, 84, 66, 54, 50, 50},  {95, 93, 89, 75, 68, 58, 51, 50, 50},
    {79, 76, 69, 60, 53, 50, 50, 50, 50},     {64, 61, 55, 51, 50, 50, 50, 50, 50},
    {56, 52, 50, 50, 50, 50, 50, 50, 50},     {50, 50, 50, 50, 50, 50, 50, 50, 50},
    {50, 50, 50, 50, 50, 50, 50, 50, 50},
};

constexpr int kSteps[9] = {0, 0, 0, 150, 450, 900, 1300, 1550, 1600};
constexpr int kMiddleGame = 36;  // pieces on the board

// Number of ranks that `s` is in front of `king`, as the king's owner sees it.
int Ahead(Color owner, Square king, Square s) {
  return RelativeRank(owner, king) - RelativeRank(owner, s);
}

// By how much a rook on `s` is hindered on its way along the rank to the file of `king`: 1 if it is
// not.
int HindranceOf(const Position& position, Color side, Square s, Square king) {
  constexpr int kAnchor = 4;
  const int step = FileOf(king) > FileOf(s) ? 1 : -1;
  int obstacles = 0;
  bool anchored = false;
  for (int file = FileOf(s); file != FileOf(king);) {
    file += step;
    const Square at = MakeSquare(file, RankOf(s));
    const Piece piece = position.piece(at);
    if (piece == kNoPiece || at == king) continue;
    ++obstacles;
    anchored |= piece == MakePiece(~side, kPawn) && RelativeRank(side, at) == 1;
  }
  return std::max(1 + obstacles, anchored ? kAnchor : 1);
}

bool HoldsSomething(const Position& position, Color side) { return !position.hand(side).empty(); }

}  // namespace

int HandSeries(const Position& position, Color side) {
  const Hand hand = position.hand(side);
  int sum = 0;
  for (int i = kPawn; i <= kGold; ++i) {
    const int count = hand.Count(static_cast<PieceType>(i));
    for (int nth = 0; nth < count; ++nth) {
      sum += (nth < kSeriesLength ? kSeries[i][nth] : 0) - (kHandValue[i] - kPieceValue[i]);
    }
  }
  return sum;
}

int KingNeighbours(const Position& position, Color side) {
  const Square king = position.king(side);
  if (king == kNoSquare) return 0;
  const Bitboard occupied = position.occupied();
  int cost = 0;
  ForEach(StepAttacks(side, kKing, king), [&](Square s) {
    const int attacks = position.Attackers(~side, s, occupied).Count();
    const int ahead = Ahead(side, king, s);
    const Piece piece = position.piece(s);
    const bool own = piece != kNoPiece && ColorOf(piece) == side;
    if (attacks == 0) return;
    const int guards = position.Attackers(side, s, occupied).Count() - 1;  // without the king
    int penalty = 0;
    if (own) {
      penalty = kPieceValue[TypeOf(piece)] / (attacks >= guards ? 4 : 8);
    } else if (attacks > guards) {
      penalty = 250;
    } else if (attacks == guards) {
      penalty = HoldsSomething(position, ~side) ? 200 : 130;
    } else {
      penalty = 50;
    }
    cost += ahead > 0 ? penalty : ahead == 0 ? penalty / 2 : penalty / 4;
  });
  // A wall: an own gold or silver blocks the way to the corner.
  const Square seen = Seen(side, king);
  const int file = FileOf(seen) > 5 ? 10 - FileOf(seen) : FileOf(seen);
  if (file == 3 || file == 4) {
    const int beside = FileOf(seen) > 5 ? FileOf(seen) + 1 : FileOf(seen) - 1;
    const Piece wall = position.piece(Seen(side, MakeSquare(beside, RankOf(seen))));
    if (wall == MakePiece(side, kGold) || wall == MakePiece(side, kSilver)) cost += 120;
  }
  return -cost / 4;
}

int Pins(const Position& position, Color side) {
  if (position.king(side) == kNoSquare) return 0;
  int cost = 0;
  ForEach(position.Pinned(side),
          [&](Square s) { cost += kPieceValue[TypeOf(position.piece(s))] / 12; });
  return -cost;
}

int RateToEnemyKing(int files, int ahead) { return kToEnemy[8 - ahead][files]; }
int RateToOwnKing(int files, int ahead) { return kToOwn[8 - ahead][files]; }

int KingDistance(const Position& position, Color side, bool obstructed) {
  const Square own = position.king(side);
  const Square other = position.king(~side);
  if (own == kNoSquare || other == kNoSquare) return 0;
  if (position.occupied().Count() > kMiddleGame) return 0;
  int sum = 0;
  ForEach(position.occupied(side), [&](Square s) {
    const PieceType t = TypeOf(position.piece(s));
    if (t == kKing) return;
    const int on = t == kLance || t == kKnight ? 1 : 0;
    // A piece further on for its owner is further ahead of the own king, and less far ahead of the
    // other.
    const int to_own = std::clamp(Ahead(side, own, s) + on, -8, 8);
    const int to_other = std::clamp(Ahead(~side, other, s) - on, -8, 8);
    const int rate = std::max(RateToEnemyKing(std::abs(FileOf(s) - FileOf(other)), to_other),
                              RateToOwnKing(std::abs(FileOf(s) - FileOf(own)), to_own));
    int points = kPieceValue[t] * (rate - 100) / 100;
    if (t == kHorse || t == kDragon) points = std::max(points, 0);
    if (obstructed && (t == kRook || t == kDragon) && InPromotionZone(side, s) && points > 0) {
      points /= HindranceOf(position, side, s, other);
    }
    if (t == kPawn || on != 0) points /= 2;
    sum += points;
  });
  return sum / 4;
}

int EnteringKing(const Position& position, Color side) {
  const Square king = position.king(side);
  if (king == kNoSquare) return 0;
  const Square seen = Seen(side, king);
  const int edge = std::min(FileOf(seen), 10 - FileOf(seen)) - 1;  // 0 .. 4
  int value = kSteps[9 - RankOf(seen)] * (10 - edge) / 10 / 4;
  if (RankOf(seen) > 3) return value;
  int points = 0;
  int pieces = 0;
  ForEach(position.occupied(side), [&](Square s) {
    if (!InPromotionZone(side, s) || s == king) return;
    const PieceType t = Unpromoted(TypeOf(position.piece(s)));
    ++pieces;
    points += t == kBishop || t == kRook ? 5 : 1;
  });
  for (int i = kPawn; i <= kGold; ++i) {
    points +=
        position.hand(side).Count(static_cast<PieceType>(i)) * (i == kBishop || i == kRook ? 5 : 1);
  }
  const int wanted = side == kBlack ? 28 : 27;
  value += 20 * std::min(points, wanted) + 40 * std::min(pieces, 10);
  return value;
}

int VanguardPawns(const Position& position, Color side) {
  if (position.occupied().Count() <= kMiddleGame) return 0;
  // Squares as the side sees them; rank 1 is the far one.
  const auto pawn_at = [&](Color owner, int file, int rank) {
    return position.piece(Seen(side, MakeSquare(file, rank))) == MakePiece(owner, kPawn);
  };
  const auto any_ahead = [&](Color owner, int file, int rank) {
    while (--rank >= 1) {
      if (pawn_at(owner, file, rank)) return true;
    }
    return false;
  };
  int sum = 0;
  ForEach(position.pieces(side, kPawn), [&](Square s) {
    const int file = FileOf(Seen(side, s));
    const int rank = RankOf(Seen(side, s));
    const bool guarded = position.IsAttacked(side, s);
    if (rank == 5) {
      sum += pawn_at(~side, file, 3) ? 1 : guarded ? 15 : 2;
    } else if (rank == 4) {
      if (!position.IsAttacked(~side, Seen(side, MakeSquare(file, 3)))) {
        sum += 100;
      } else {
        sum += pawn_at(~side, file, 2) ? 20 : 40;
      }
      if (guarded) sum += 10;
    } else if (rank == 3) {
      sum += 10;
    }
  });
  ForEach(position.pieces(side, kRook), [&](Square s) {
    const Square rook = Seen(side, s);
    if (any_ahead(side, FileOf(rook), RankOf(rook))) return;
    sum += any_ahead(~side, FileOf(rook), RankOf(rook)) ? 35 : 65;
  });
  if (position.king(side) != kNoSquare) {
    const Square king = Seen(side, position.king(side));
    if (!any_ahead(side, FileOf(king), RankOf(king))) sum -= 15;
  }
  return sum;
}

}  // namespace joseki::shogi
