#include "engine/shogi/eval/plain.h"

#include <algorithm>
#include <array>

#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/material.h"

namespace joseki::shogi {
namespace {

constexpr Value kTempo = 12;

// Bonus by rank as the side sees it; rank 1 is the far one. Conventional choices: minor pieces are
// strong in front of the camp and weak behind it; a rook belongs at home or far ahead.
constexpr int8_t kRankBonus[kPieceTypeCount][10] = {
    {},
    {0, 0, 30, 26, 18, 14, 6, 0, 0, 0},           // pawn
    {0, 0, 10, 8, 4, 0, -4, -4, 0, 6},            // lance
    {0, 0, 0, 14, 10, 6, 4, 8, -10, 0},           // knight
    {0, -10, 6, 10, 12, 16, 16, 12, 4, -12},      // silver
    {0, 10, 12, 14, 4, 4, 4, 10, 6, -4},          // bishop
    {0, 20, 22, 24, 4, 0, 0, -4, 10, -4},         // rook
    {0, -30, -6, 2, 2, 4, 8, 14, 16, 0},          // gold
    {0, 60, 50, 40, -60, -70, -60, -40, -4, 10},  // king
    {0, -10, 8, 10, 4, 0, -4, -8, -12, -16},      // promoted pawn
    {0, -10, 8, 10, 4, 0, -4, -8, -12, -16},      // promoted lance
    {0, -10, 8, 10, 4, 0, -4, -8, -12, -16},      // promoted knight
    {0, -10, 8, 10, 4, 0, -4, -8, -12, -16},      // promoted silver
    {0, 10, 12, 12, 10, 14, 16, 16, 12, 4},       // horse
    {0, 20, 22, 22, 8, 6, 4, 0, 0, 0},            // dragon
};

// A king is safest one or two files from the edge; rooks and other major pieces have no preference.
constexpr int8_t kKingFileBonus[10] = {0, 8, 34, 26, 0, -14, 0, 26, 34, 8};
constexpr int8_t kMinorFileBonus[10] = {0, -14, -6, 2, 4, 4, 4, 2, -6, -14};

constexpr bool IsMinor(int t) {
  return t == kSilver || t == kGold || t == kKnight || (t >= kProPawn && t <= kProSilver);
}

using PieceSquareTable = std::array<std::array<int16_t, kSquareCount>, kPieceTypeCount>;

// Value and placement of a Black piece; White's squares are rotated.
constexpr PieceSquareTable MakePieceSquare() {
  PieceSquareTable table{};
  for (int t = kPawn; t < kPieceTypeCount; ++t) {
    for (Square s = 0; s < kSquareCount; ++s) {
      int value = kPieceValue[t] + kRankBonus[t][RankOf(s)];
      if (IsMinor(t)) value += kMinorFileBonus[FileOf(s)];
      // In the own camp only: a king that enters the other camp is judged by rank.
      if (t == kKing && RankOf(s) >= 8) value += kKingFileBonus[FileOf(s)];
      table[static_cast<size_t>(t)][static_cast<size_t>(s)] = static_cast<int16_t>(value);
    }
  }
  return table;
}
constexpr PieceSquareTable kPieceSquare = MakePieceSquare();

constexpr int Distance(Square a, Square b) {
  const int files = FileOf(a) > FileOf(b) ? FileOf(a) - FileOf(b) : FileOf(b) - FileOf(a);
  const int ranks = RankOf(a) > RankOf(b) ? RankOf(a) - RankOf(b) : RankOf(b) - RankOf(a);
  return std::max(files, ranks);
}

// Distance from a missing king: kFar, at which nothing presses or guards.
constexpr uint8_t kFar = 9;
using DistanceTable = std::array<std::array<uint8_t, kSquareCount + 1>, kSquareCount>;
constexpr DistanceTable MakeDistances() {
  DistanceTable table{};
  for (auto& row : table) row[kNoSquare] = kFar;
  for (Square a = 0; a < kSquareCount; ++a) {
    for (Square b = 0; b < kSquareCount; ++b) {
      table[static_cast<size_t>(a)][static_cast<size_t>(b)] = static_cast<uint8_t>(Distance(a, b));
    }
  }
  return table;
}
constexpr DistanceTable kDistance = MakeDistances();

// Pressure of a piece on the other king, by distance, and guard of its own king.
constexpr int8_t kPress[kPieceTypeCount][10] = {
    {},
    {0, 14, 8, 4, 0, 0, 0, 0, 0},     // pawn
    {0, 10, 8, 6, 4, 4, 2, 0, 0},     // lance
    {0, 8, 18, 8, 4, 0, 0, 0, 0},     // knight
    {0, 30, 24, 12, 6, 2, 0, 0, 0},   // silver
    {0, 24, 18, 12, 10, 8, 8, 6, 6},  // bishop
    {0, 30, 22, 14, 10, 8, 8, 6, 6},  // rook
    {0, 36, 26, 12, 6, 2, 0, 0, 0},   // gold
    {},
    {0, 36, 26, 12, 6, 2, 0, 0, 0},       // promoted pawn
    {0, 36, 26, 12, 6, 2, 0, 0, 0},       // promoted lance
    {0, 36, 26, 12, 6, 2, 0, 0, 0},       // promoted knight
    {0, 36, 26, 12, 6, 2, 0, 0, 0},       // promoted silver
    {0, 40, 34, 24, 16, 12, 10, 8, 8},    // horse
    {0, 52, 44, 32, 20, 16, 14, 12, 10},  // dragon
};
constexpr int8_t kGuard[kPieceTypeCount][10] = {
    {},
    {0, 10, 4, 0, 0, 0, 0, 0, 0},    // pawn
    {0, 8, 2, 0, 0, 0, 0, 0, 0},     // lance
    {0, 8, 4, 0, 0, 0, 0, 0, 0},     // knight
    {0, 28, 18, 8, 0, 0, 0, 0, 0},   // silver
    {0, 10, 8, 4, 2, 0, 0, 0, 0},    // bishop
    {0, -6, -4, 0, 0, 0, 0, 0, 0},   // rook: king and rook are badly placed together
    {0, 34, 24, 10, 0, 0, 0, 0, 0},  // gold
    {},
    {0, 24, 16, 6, 0, 0, 0, 0, 0},    // promoted pawn
    {0, 24, 16, 6, 0, 0, 0, 0, 0},    // promoted lance
    {0, 24, 16, 6, 0, 0, 0, 0, 0},    // promoted knight
    {0, 28, 18, 8, 0, 0, 0, 0, 0},    // promoted silver
    {0, 38, 34, 22, 12, 8, 4, 0, 0},  // horse
    {0, 16, 14, 10, 6, 4, 2, 0, 0},   // dragon
};

// Contribution of a piece in hand to an attack, as it can be dropped where needed.
constexpr int8_t kHandPress[kHandTypeCount] = {0, 2, 6, 8, 14, 14, 18, 18};

// Adds or subtracts a piece's contribution on its square.
struct PieceSums {
  std::array<PlainSums, 2>& sums;
  const std::array<Square, 2> kings;

  template <int sign>
  void Count(Piece piece, Square s) const {
    const Color us = ColorOf(piece);
    const PieceType t = TypeOf(piece);
    const Square seen = us == kBlack ? s : kSquareCount - 1 - s;
    PlainSums& side = sums[static_cast<size_t>(Index(us))];
    side.placed += sign * kPieceSquare[t][static_cast<size_t>(seen)];
    const Square own_king = kings[static_cast<size_t>(Index(us))];
    const Square other_king = kings[static_cast<size_t>(1 - Index(us))];
    side.press += sign * kPress[t][kDistance[s][other_king]];
    side.guard += sign * kGuard[t][kDistance[s][own_king]];
  }
};

void CollectHand(Hand hand, PlainSums& side) {
  side.held = side.held_press = 0;
  if (hand.empty()) return;
  for (int i = kPawn; i <= kGold; ++i) {
    const int count = hand.Count(static_cast<PieceType>(i));
    side.held += count * kHandValue[i];
    side.held_press += std::min(count, 3) * kHandPress[i];
  }
  // The first pawn in hand is valuable; further ones add less.
  const int pawns = hand.Count(kPawn);
  side.held += pawns > 0 ? 30 - 4 * (pawns - 1) : 0;
}

// Mobility sums of both sides.
std::array<int, 2> MobilityOf(const Position& position, const Sights& sights) {
  std::array<int, 2> score = {};
  const Bitboard free[2] = {kAllSquares - position.occupied(kBlack),
                            kAllSquares - position.occupied(kWhite)};
  for (const Sight* sight = sights.begin(); sight != sights.rooks(); ++sight) {
    const auto us = static_cast<size_t>(Index(ColorOf(sight->piece)));
    score[us] += 5 * (sight->lines() & free[us]).Count();
  }
  for (const Sight* sight = sights.rooks(); sight != sights.end(); ++sight) {
    const auto us = static_cast<size_t>(Index(ColorOf(sight->piece)));
    const Bitboard seen = sight->lines() & free[us];
    // Squares ahead count twice: open files are what rooks need.
    const Bitboard ahead = seen & kAttacks.ray[us == 0 ? kNorth : kSouth][sight->square];
    score[us] += 4 * (seen.Count() + ahead.Count());
  }
  return score;
}

// Danger grows faster than linearly with the attack, and is reduced by guards.
int Danger(int press, int guard) {
  const int open = std::max(press - guard / 3, 0);
  return press + open * open / 128;
}

}  // namespace

PlainTerms ExplainPlain(const Position& position, const std::array<PlainSums, 2>& sums,
                        const Sights& sights) {
  const std::array<int, 2> mobility = MobilityOf(position, sights);
  auto side = [&](size_t i) {
    const PlainSums& own = sums[i];
    return PlainTerms::Side{.placed = own.placed + own.held + mobility[i],
                            .guard = own.guard,
                            .danger = Danger(own.press + own.held_press, sums[1 - i].guard)};
  };
  const auto own = static_cast<size_t>(Index(position.side_to_move()));
  PlainTerms terms = {.own = side(own), .other = side(1 - own), .tempo = kTempo, .total = 0};
  const int value = terms.own.placed - terms.other.placed + terms.own.guard - terms.other.guard +
                    terms.own.danger - terms.other.danger;
  terms.total = std::clamp(value, -20000, 20000) + kTempo;
  return terms;
}

std::array<PlainSums, 2> CollectPlain(const Position& position) {
  std::array<PlainSums, 2> sums = {};
  const PieceSums pieces = {.sums = sums, .kings = {position.king(kBlack), position.king(kWhite)}};
  ForEach(position.occupied(), [&](Square s) { pieces.Count<1>(position.piece(s), s); });
  for (const Color c : {kBlack, kWhite}) {
    CollectHand(position.hand(c), sums[static_cast<size_t>(Index(c))]);
  }
  return sums;
}

void AdvancePlain(const Position& position, const Changes& changes,
                  const std::array<Hand, 2>& hands_before,
                  const std::array<Square, 2>& kings_before, std::array<PlainSums, 2>& sums) {
  const std::array<Square, 2> kings = {position.king(kBlack), position.king(kWhite)};
  if (kings != kings_before) {
    sums = CollectPlain(position);
    return;
  }
  const PieceSums pieces = {.sums = sums, .kings = kings};
  for (const Change& change : changes) {
    if (change.before != kNoPiece) pieces.Count<-1>(change.before, change.square);
    if (change.after != kNoPiece) pieces.Count<1>(change.after, change.square);
  }
  for (const Color c : {kBlack, kWhite}) {
    const auto i = static_cast<size_t>(Index(c));
    if (position.hand(c) != hands_before[i]) CollectHand(position.hand(c), sums[i]);
  }
}

Value KingPieceGain(const Position& position, Move move) {
  const Color us = position.side_to_move();
  std::array<PlainSums, 2> sums = {};
  const PieceSums pieces = {.sums = sums, .kings = {position.king(kBlack), position.king(kWhite)}};
  int apart = 0;  // correction: material in the sums, minus the loss of the hand
  if (move.is_drop()) {
    const auto t = static_cast<PieceType>(move.dropped());
    pieces.Count<1>(MakePiece(us, t), move.to());
    apart = kHandValue[t] + kHandPress[t];
  } else {
    const Piece before = position.piece(move.from());
    const PieceType t = TypeOf(before);
    if (t == kKing) return 0;
    const PieceType arrived = move.promotes() ? Promoted(t) : t;
    pieces.Count<-1>(before, move.from());
    pieces.Count<1>(MakePiece(us, arrived), move.to());
    apart = kPieceValue[arrived] - kPieceValue[t];
  }
  if (const Piece taken = position.piece(move.to()); taken != kNoPiece) {
    pieces.Count<-1>(taken, move.to());
    apart += kPieceValue[TypeOf(taken)];
  }
  const auto total = [](const PlainSums& side) { return side.placed + side.press + side.guard; };
  const auto own = static_cast<size_t>(Index(us));
  return total(sums[own]) - total(sums[1 - own]) - apart;
}

Value FinishPlain(const Position& position, const std::array<PlainSums, 2>& sums) {
  return ExplainPlain(position, sums, Sights(position)).total;
}

Value EvaluatePlain(const Position& position) {
  return FinishPlain(position, CollectPlain(position));
}

PlainTerms ExplainPlain(const Position& position) {
  return ExplainPlain(position, CollectPlain(position), Sights(position));
}

Value PlainEvaluator::Evaluate(const Position& position) {
  Changes changes;
  const auto place = recent_.Find(position, changes);
  if (place.nearest == nullptr) {
    *place.sums = CollectPlain(position);
  } else {
    *place.sums = *place.nearest;
    AdvancePlain(position, changes, place.hands, place.kings, *place.sums);
  }
  return FinishPlain(position, *place.sums);
}

}  // namespace joseki::shogi
