#pragma once

#include <cstdint>

#include "engine/core/types.h"

// Shogi's squares and pieces. Black is Color::kFirst and moves towards rank 1 ('a').
namespace joseki::shogi {

inline constexpr Color kBlack = Color::kFirst;
inline constexpr Color kWhite = Color::kSecond;

// Square = (file - 1) * 9 + (rank - 1): file-major from 1a = 0 to 9i = 80. Files 1 to 7 thus fill
// the low lane of a Bitboard, and forward moves run through adjacent bits.
using Square = int;
inline constexpr int kSquareCount = 81;
inline constexpr Square kNoSquare = 81;

constexpr Square MakeSquare(int file, int rank) {
  return (file - 1) * 9 + (rank - 1);
}  // both 1..9
constexpr int FileOf(Square s) { return s / 9 + 1; }
constexpr int RankOf(Square s) { return s % 9 + 1; }
// Rank as the side sees it: 1 is the far rank, 9 its own.
constexpr int RelativeRank(Color c, Square s) { return c == kBlack ? RankOf(s) : 10 - RankOf(s); }
// The square that is for `side` what `s` is for Black.
constexpr Square Seen(Color side, Square s) { return side == kBlack ? s : kSquareCount - 1 - s; }
constexpr bool InPromotionZone(Color c, Square s) { return RelativeRank(c, s) <= 3; }

// Piece types. The first seven can be held in hand; +8 gives the promoted type.
enum PieceType : uint8_t {
  kNoPieceType = 0,
  kPawn = 1,
  kLance = 2,
  kKnight = 3,
  kSilver = 4,
  kBishop = 5,
  kRook = 6,
  kGold = 7,
  kKing = 8,
  kProPawn = 9,
  kProLance = 10,
  kProKnight = 11,
  kProSilver = 12,
  kHorse = 13,
  kDragon = 14,
};
inline constexpr int kPieceTypeCount = 15;
inline constexpr int kHandTypeCount = 8;  // indices 1 (kPawn) to 7 (kGold)

constexpr bool CanPromote(PieceType t) { return t >= kPawn && t <= kRook; }
constexpr bool IsPromoted(PieceType t) { return t > kKing; }
constexpr PieceType Promoted(PieceType t) {
  return static_cast<PieceType>(t + 8);
}  // REQUIRES: CanPromote
constexpr PieceType Unpromoted(PieceType t) {
  return IsPromoted(t) ? static_cast<PieceType>(t - 8) : t;
}

// A coloured piece: type, +16 for White. 0 is an empty square.
using Piece = uint8_t;
inline constexpr Piece kNoPiece = 0;
inline constexpr int kPieceCount = 31;

constexpr Piece MakePiece(Color c, PieceType t) { return static_cast<Piece>(t | Index(c) << 4); }
constexpr PieceType TypeOf(Piece p) { return static_cast<PieceType>(p & 15); }
constexpr Color ColorOf(Piece p) { return static_cast<Color>(p >> 4); }

// Pieces in one side's hand, in one word with 4 or more bits for each type.
class Hand {
 public:
  constexpr int Count(PieceType t) const { return static_cast<int>(bits_ >> Shift(t) & 31); }
  constexpr bool Has(PieceType t) const { return (bits_ >> Shift(t) & 31) != 0; }
  constexpr void Add(PieceType t) { bits_ += uint64_t{1} << Shift(t); }
  constexpr void Remove(PieceType t) { bits_ -= uint64_t{1} << Shift(t); }
  constexpr bool empty() const { return bits_ == 0; }
  // True if no type has fewer pieces than in `other`.
  constexpr bool HasAllOf(Hand other) const {
    for (int t = kPawn; t <= kGold; ++t) {
      if (Count(static_cast<PieceType>(t)) < other.Count(static_cast<PieceType>(t))) return false;
    }
    return true;
  }
  constexpr uint64_t bits() const { return bits_; }
  constexpr bool operator==(const Hand&) const = default;

 private:
  static constexpr int Shift(PieceType t) { return (t - kPawn) * 5; }
  uint64_t bits_ = 0;
};

// Number of pieces of each type in a full set, both sides together; promoted ones count as
// unpromoted.
inline constexpr int kFullSet[9] = {0, 18, 4, 4, 4, 2, 2, 4, 2};

}  // namespace joseki::shogi
