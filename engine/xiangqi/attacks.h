#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "engine/core/bitboard.h"
#include "engine/xiangqi/types.h"

// Attacked squares. Steps come from tables; knights and elephants depend on the squares that can
// block them. Rooks and cannons look up the occupied squares of a rank or file.
namespace joseki::xiangqi {

// Ranks 0-6 (squares 0-62) lie in the low lane, ranks 7-9 in the high lane.
inline constexpr int kLowSquares = 63;

// The set of each single square; kNoSquare gives the empty set.
inline constexpr std::array<Bitboard, kSquareCount + 1> kSquareBits = [] {
  std::array<Bitboard, kSquareCount + 1> bits{};
  for (Square s = 0; s < kSquareCount; ++s) {
    bits[static_cast<size_t>(s)] = s < kLowSquares ? Bitboard(uint64_t{1} << s, 0)
                                                   : Bitboard(0, uint64_t{1} << (s - kLowSquares));
  }
  return bits;
}();

constexpr Bitboard Bit(Square s) { return kSquareBits[static_cast<size_t>(s)]; }
constexpr bool Has(Bitboard b, Square s) { return static_cast<bool>(b & Bit(s)); }
// REQUIRES: b.
constexpr Square First(Bitboard b) {
  return b.lo() != 0 ? std::countr_zero(b.lo()) : kLowSquares + std::countr_zero(b.hi());
}
template <typename F>
constexpr void ForEach(Bitboard b, F&& f) {
  for (uint64_t x = b.lo(); x != 0; x &= x - 1) f(std::countr_zero(x));
  for (uint64_t x = b.hi(); x != 0; x &= x - 1) f(kLowSquares + std::countr_zero(x));
}

inline constexpr Bitboard kAllSquares{(uint64_t{1} << 63) - 1, (uint64_t{1} << 27) - 1};

// Opposite directions differ in bit 0.
enum Direction : uint8_t { kNorth = 0, kSouth = 1, kEast = 2, kWest = 3, kNoDirection = 4 };
inline constexpr int kFileStep[4] = {0, 0, 1, -1};
inline constexpr int kRankStep[4] = {1, -1, 0, 0};

// Reach of a slider on one line, one bit for each square. A rook reaches up to the first piece
// either way; a capturing cannon from behind the first piece up to the second.
struct LineReach {
  uint16_t rook = 0;
  uint16_t jump = 0;
};

// A move to the squares `to` that a piece on `way` blocks.
struct HobbledStep {
  Bitboard way;
  Bitboard to;
};

struct AttackTables {
  // [file][the seven inner squares of the rank], [rank][the eight inner squares of the file].
  std::array<std::array<LineReach, 128>, kFiles> rank;
  std::array<std::array<LineReach, 256>, kRanks> file;
  std::array<uint8_t, kSquareCount> rank_shift;  // shift of the rank's first square in its lane
  std::array<uint8_t, kSquareCount> file_of;
  std::array<uint8_t, kSquareCount> rank_of;
  std::array<std::array<HobbledStep, 4>, kSquareCount> knight;
  std::array<std::array<HobbledStep, 4>, kSquareCount> elephant;
  // Knights on `to` attack the square unless `way` is occupied.
  std::array<std::array<HobbledStep, 4>, kSquareCount> knight_from;
  // [color][square]: steps of king, adviser and pawn, and squares from which a pawn attacks the
  // square.
  std::array<std::array<Bitboard, kSquareCount>, 2> king;
  std::array<std::array<Bitboard, kSquareCount>, 2> adviser;
  std::array<std::array<Bitboard, kSquareCount>, 2> pawn;
  std::array<std::array<Bitboard, kSquareCount>, 2> pawn_from;
  // On an empty board; the relation is symmetric.
  std::array<Bitboard, kSquareCount> knight_squares;
  std::array<std::array<Bitboard, kSquareCount>, 4> ray;  // without the origin
  std::array<Bitboard, kSquareCount> rook_rays;           // on an empty board
  // Squares where a change of occupation can change whether the square is attacked: the lines
  // through it and the squares diagonal to it. Arrivals of knights that attack by a free way are
  // not included.
  std::array<Bitboard, kSquareCount> lines_and_ways;
  // Direction from the first square to the second; kNoDirection if they are not on one ray.
  std::array<std::array<uint8_t, kSquareCount>, kSquareCount> direction;
};
extern const AttackTables kAttacks;

// Targets of rooks and cannons on one square. `rook`: squares that a rook attacks, which a cannon
// reaches without capturing. `jump`: squares where a cannon may capture if they are occupied.
struct Slides {
  Bitboard rook;
  Bitboard jump;
};

namespace internal {

// Gathers seven squares of a file, nine bits apart, into adjacent bits, and spreads them back. No
// two products of the multiplication share a bit, so there is no carry.
inline constexpr uint64_t kFileLow = 0x0040201008040201;
inline constexpr uint64_t kFileHigh = 0x40201;
inline constexpr uint64_t kSpread = 0x0001010101010101;
inline constexpr uint64_t kSpreadHigh = 0x10101;

constexpr uint64_t FileBits(Bitboard b, int file) {
  const uint64_t low = ((b.lo() >> file & kFileLow) * kSpread) >> 48 & 0x7f;
  const uint64_t high = ((b.hi() >> file & kFileHigh) * kSpreadHigh) >> 16 & 0x7;
  return low | high << 7;
}
constexpr Bitboard OnFile(uint64_t bits, int file) {
  return {((bits & 0x7f) * kSpread & kFileLow) << file, ((bits >> 7) * kSpreadHigh & kFileHigh)
                                                            << file};
}

}  // namespace internal

inline Slides SlidesFrom(Square square, Bitboard occupied) {
  const auto s = static_cast<size_t>(square);
  const int file = kAttacks.file_of[s];
  const bool low = square < kLowSquares;
  const int shift = kAttacks.rank_shift[s];
  const uint64_t inner_rank = (low ? occupied.lo() : occupied.hi()) >> (shift + 1) & 127;
  const LineReach across = kAttacks.rank[static_cast<size_t>(file)][inner_rank];
  const uint64_t inner_file = internal::FileBits(occupied, file) >> 1 & 255;
  const LineReach along = kAttacks.file[kAttacks.rank_of[s]][inner_file];
  const auto rank = [&](uint64_t reach) {
    return low ? Bitboard(reach << shift, 0) : Bitboard(0, reach << shift);
  };
  return {rank(across.rook) | internal::OnFile(along.rook, file),
          rank(across.jump) | internal::OnFile(along.jump, file)};
}
inline Bitboard RookAttacks(Square s, Bitboard occupied) { return SlidesFrom(s, occupied).rook; }

// Targets of the steps that are not blocked.
inline Bitboard Unhobbled(const std::array<HobbledStep, 4>& steps, Bitboard occupied) {
  Bitboard reached;
  for (const HobbledStep& step : steps) {
    if (!(step.way & occupied)) reached |= step.to;
  }
  return reached;
}
inline Bitboard KnightAttacks(Square s, Bitboard occupied) {
  return Unhobbled(kAttacks.knight[static_cast<size_t>(s)], occupied);
}
inline Bitboard ElephantAttacks(Square s, Bitboard occupied) {
  return Unhobbled(kAttacks.elephant[static_cast<size_t>(s)], occupied);
}
// Squares from which knights attack `s`.
inline Bitboard KnightsReaching(Square s, Bitboard occupied) {
  return Unhobbled(kAttacks.knight_from[static_cast<size_t>(s)], occupied);
}
// The square that can block a knight on `from` that attacks `to`. REQUIRES: a knight's move.
constexpr Square KnightWay(Square from, Square to) {
  const int ranks = RankOf(to) - RankOf(from);
  if (ranks == 2 || ranks == -2) return from + ranks / 2 * kFiles;
  return from + (FileOf(to) - FileOf(from)) / 2;
}

// Targets of a piece of type `t` and side `c` on `square`, including those occupied by own pieces.
inline Bitboard Moves(Color c, PieceType t, Square square, Bitboard occupied) {
  const auto s = static_cast<size_t>(square);
  const auto color = static_cast<size_t>(Index(c));
  switch (t) {
    case kKing:
      return kAttacks.king[color][s];
    case kAdviser:
      return kAttacks.adviser[color][s];
    case kElephant:
      return ElephantAttacks(square, occupied);
    case kKnight:
      return KnightAttacks(square, occupied);
    case kRook:
      return RookAttacks(square, occupied);
    case kCannon: {
      const Slides slides = SlidesFrom(square, occupied);
      return (slides.rook - occupied) | (slides.jump & occupied);
    }
    case kPawn:
      return kAttacks.pawn[color][s];
    case kNoPieceType:
      break;
  }
  return {};
}

// Squares strictly between two squares of one rank or file; empty if they share none.
inline Bitboard Between(Square a, Square b) {
  const uint8_t d = kAttacks.direction[static_cast<size_t>(a)][static_cast<size_t>(b)];
  return d == kNoDirection ? Bitboard()
                           : kAttacks.ray[d][static_cast<size_t>(a)] &
                                 kAttacks.ray[d ^ 1][static_cast<size_t>(b)];
}

}  // namespace joseki::xiangqi
