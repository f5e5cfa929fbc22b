#pragma once

#include <cstdint>

#include "engine/core/types.h"

// Xiangqi's squares and pieces. Red is Color::kFirst and moves towards rank 9.
namespace joseki::xiangqi {

inline constexpr Color kRed = Color::kFirst;
inline constexpr Color kBlack = Color::kSecond;

// Square = rank * 9 + file: rank-major from a0 = 0, the left corner on Red's side, to i9 = 89.
// Ranks 0 to 6 thus fill the low lane of a Bitboard up to its 63rd bit.
using Square = int;
inline constexpr int kSquareCount = 90;
inline constexpr int kFiles = 9;
inline constexpr int kRanks = 10;
inline constexpr Square kNoSquare = 90;

constexpr Square MakeSquare(int file, int rank) { return rank * kFiles + file; }
constexpr int FileOf(Square s) { return s % kFiles; }
constexpr int RankOf(Square s) { return s / kFiles; }
constexpr bool OnBoard(int file, int rank) {
  return file >= 0 && file < kFiles && rank >= 0 && rank < kRanks;
}
// Rank as the side sees it: 0 is its own back rank; the river is between 4 and 5.
constexpr int RelativeRank(Color c, Square s) {
  return c == kRed ? RankOf(s) : kRanks - 1 - RankOf(s);
}
constexpr bool HasCrossedRiver(Color c, Square s) { return RelativeRank(c, s) >= 5; }
constexpr bool InPalace(Color c, Square s) {
  return FileOf(s) >= 3 && FileOf(s) <= 5 && RelativeRank(c, s) <= 2;
}

enum PieceType : uint8_t {
  kNoPieceType = 0,
  kKing = 1,
  kAdviser = 2,
  kElephant = 3,
  kKnight = 4,
  kRook = 5,
  kCannon = 6,
  kPawn = 7,
};
inline constexpr int kPieceTypeCount = 8;

// A coloured piece: type, +8 for Black. 0 is an empty square.
using Piece = uint8_t;
inline constexpr Piece kNoPiece = 0;
inline constexpr int kPieceCount = 16;

constexpr Piece MakePiece(Color c, PieceType t) { return static_cast<Piece>(t | Index(c) << 3); }
constexpr PieceType TypeOf(Piece p) { return static_cast<PieceType>(p & 7); }
constexpr Color ColorOf(Piece p) { return static_cast<Color>(p >> 3); }

// Number of pieces of each type in a side's full set of 16; no piece ever returns to the board.
inline constexpr int kFullSet[kPieceTypeCount] = {0, 1, 2, 2, 2, 2, 2, 5};

// True if a piece of this type may ever stand on the square.
constexpr bool MayStand(Color c, PieceType t, Square s) {
  const int file = FileOf(s);
  const int rank = RelativeRank(c, s);
  switch (t) {
    case kKing:
      return InPalace(c, s);
    case kAdviser:  // the corners and the middle of the palace
      return InPalace(c, s) && (file + rank) % 2 == 1;
    case kElephant:  // seven points, connected by diagonal steps of two
      return rank <= 4 && rank % 2 == 0 && file % 2 == 0 && (file + rank) % 4 == 2;
    case kPawn:  // straight ahead from its start until it has crossed the river
      return rank >= 5 || (rank >= 3 && file % 2 == 0);
    default:
      return true;
  }
}

}  // namespace joseki::xiangqi
