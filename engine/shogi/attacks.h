#pragma once

#include <emmintrin.h>
#include <smmintrin.h>

#include <array>
#include <bit>
#include <type_traits>

#include "engine/core/bitboard.h"
#include "engine/shogi/types.h"

// Attacked squares: steps from tables, sliders by their lines and the first blockers on them.
// docs/laboratory/rules.md compares the methods.
namespace joseki::shogi {

// Files 1-7 (squares 0-62) lie in the low lane, files 8-9 in the high lane.
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
// Removes and returns the first square. REQUIRES: b is not empty.
constexpr Square PopFirst(Bitboard& b) {
  const Square s = First(b);
  b = b.lo() != 0 ? Bitboard(b.lo() & (b.lo() - 1), b.hi()) : Bitboard(0, b.hi() & (b.hi() - 1));
  return s;
}
template <typename F>
constexpr void ForEach(Bitboard b, F&& f) {
  for (uint64_t x = b.lo(); x != 0; x &= x - 1) f(std::countr_zero(x));
  for (uint64_t x = b.hi(); x != 0; x &= x - 1) f(kLowSquares + std::countr_zero(x));
}

inline constexpr Bitboard kAllSquares{(uint64_t{1} << 63) - 1, (uint64_t{1} << 18) - 1};

constexpr Bitboard FileMask(int file) {
  return file <= 7 ? Bitboard(uint64_t{0x1ff} << (file - 1) * 9, 0)
                   : Bitboard(0, uint64_t{0x1ff} << (file - 8) * 9);
}
// The ranks first..last (1..9) of all files.
constexpr Bitboard RankMask(int first, int last) {
  Bitboard mask;
  for (int file = 1; file <= 9; ++file) {
    for (int rank = first; rank <= last; ++rank) mask |= Bit(MakeSquare(file, rank));
  }
  return mask;
}

// Directions as Black sees the board; opposite ones differ in bit 0.
enum Direction : uint8_t {
  kNorth = 0,
  kSouth = 1,
  kEast = 2,  // towards file 1
  kWest = 3,
  kNorthEast = 4,
  kSouthWest = 5,
  kNorthWest = 6,
  kSouthEast = 7,
  kNoDirection = 8,
};
inline constexpr int kFileStep[8] = {0, 0, -1, 1, -1, 1, 1, -1};
inline constexpr int kRankStep[8] = {-1, 1, 0, 0, -1, 1, -1, 1};

constexpr Direction Opposite(Direction d) { return static_cast<Direction>(d ^ 1); }

// The two rays of a line from a square, stored so that both ascend. [0] is the ascending ray, [1]
// the descending one with its sixteen bytes reversed. Squares of a line other than a file are at
// least 8 apart in their lane. Each byte thus holds at most one, and reversing bytes reverses their
// order.
struct alignas(16) LineRays {
  std::array<uint64_t, 2> lo;
  std::array<uint64_t, 2> hi;
};

struct AttackTables {
  std::array<std::array<LineRays, 2>, kSquareCount> diagonals;
  std::array<LineRays, kSquareCount> rank;
  // [rank - 1][the seven inner squares of the file]: nine bits of attacked squares.
  std::array<std::array<uint16_t, 128>, 9> file;
  std::array<uint8_t, kSquareCount> file_shift;  // shift of the file's first square in its lane
  std::array<uint8_t, kSquareCount> rank_index;
  std::array<std::array<Bitboard, kSquareCount>, 8> ray;  // without the origin
  // [color][piece type][square]: single steps. Horse and dragon have their king's steps here, other
  // sliders none.
  std::array<std::array<std::array<Bitboard, kSquareCount>, kPieceTypeCount>, 2> step;
  // [color][square]: a superset of the squares from which a stepping piece of that side attacks a
  // neighbour of the square. Horses and dragons step too.
  std::array<std::array<Bitboard, kSquareCount>, 2> reach;
  std::array<Bitboard, kSquareCount> near_files;   // the square's own file and those beside it
  std::array<Bitboard, kSquareCount> bishop_rays;  // on an empty board
  std::array<Bitboard, kSquareCount> rook_rays;
  // Direction from the first square to the second; kNoDirection if they are not on one ray.
  std::array<std::array<uint8_t, kSquareCount>, kSquareCount> direction;
};
extern const AttackTables kAttacks;

// The occupied squares in order and byte-reversed, as LineRays needs them. Computed once for many
// sliders.
class Occupancy {
 public:
  explicit Occupancy(Bitboard squares)
      : squares_(squares),
        lo_(_mm_set_epi64x(static_cast<int64_t>(__builtin_bswap64(squares.hi())),
                           static_cast<int64_t>(squares.lo()))),
        hi_(_mm_set_epi64x(static_cast<int64_t>(__builtin_bswap64(squares.lo())),
                           static_cast<int64_t>(squares.hi()))) {}

  Bitboard squares() const { return squares_; }

  // Attacks in both directions of a line, up to and including the first blocker. Subtracting 1 from
  // the blockers on a ray flips the bits up to the lowest one, or all bits if there is none. No
  // branch is needed.
  Bitboard Along(const LineRays& rays) const { return Fold(Reach(rays)); }
  Bitboard Along(const LineRays& one, const LineRays& other) const {
    const Lanes a = Reach(one);
    const Lanes b = Reach(other);
    return Fold({_mm_or_si128(a.lo, b.lo), _mm_or_si128(a.hi, b.hi)});
  }

 private:
  struct Lanes {
    __m128i lo;
    __m128i hi;
  };
  Lanes Reach(const LineRays& rays) const {
    const __m128i ray_lo = _mm_load_si128(reinterpret_cast<const __m128i*>(rays.lo.data()));
    const __m128i ray_hi = _mm_load_si128(reinterpret_cast<const __m128i*>(rays.hi.data()));
    const __m128i lo = _mm_and_si128(ray_lo, lo_);
    const __m128i hi = _mm_and_si128(ray_hi, hi_);
    // The high lane borrows 1 where the low lane was zero.
    const __m128i less_lo = _mm_add_epi64(lo, _mm_set1_epi64x(-1));
    const __m128i less_hi = _mm_add_epi64(hi, _mm_cmpeq_epi64(lo, _mm_setzero_si128()));
    return {_mm_and_si128(_mm_xor_si128(less_lo, lo), ray_lo),
            _mm_and_si128(_mm_xor_si128(less_hi, hi), ray_hi)};
  }
  static Bitboard Fold(Lanes reached) {
    const auto lo = static_cast<uint64_t>(_mm_cvtsi128_si64(reached.lo));
    const auto hi = static_cast<uint64_t>(_mm_cvtsi128_si64(reached.hi));
    const auto reversed_lo = static_cast<uint64_t>(_mm_extract_epi64(reached.lo, 1));
    const auto reversed_hi = static_cast<uint64_t>(_mm_extract_epi64(reached.hi, 1));
    return {lo | __builtin_bswap64(reversed_hi), hi | __builtin_bswap64(reversed_lo)};
  }

  Bitboard squares_;
  __m128i lo_;
  __m128i hi_;
};

// Attacks along the file of `s`, looked up by nine bits of one lane.
inline Bitboard FileAttacks(Square s, Bitboard occupied) {
  const bool low = s < kLowSquares;
  const int shift = kAttacks.file_shift[static_cast<size_t>(s)];
  const uint64_t inner = (low ? occupied.lo() : occupied.hi()) >> (shift + 1) & 127;
  const uint64_t reached =
      uint64_t{
          kAttacks.file[kAttacks.rank_index[static_cast<size_t>(s)]][static_cast<size_t>(inner)]}
      << shift;
  return low ? Bitboard(reached, 0) : Bitboard(0, reached);
}

inline Bitboard LanceAttacks(Color c, Square s, Bitboard occupied) {
  return FileAttacks(s, occupied) & kAttacks.ray[c == kBlack ? kNorth : kSouth][s];
}
inline Bitboard BishopAttacks(Square s, const Occupancy& occupied) {
  const auto& lines = kAttacks.diagonals[static_cast<size_t>(s)];
  return occupied.Along(lines[0], lines[1]);
}
inline Bitboard RookAttacks(Square s, const Occupancy& occupied) {
  return occupied.Along(kAttacks.rank[static_cast<size_t>(s)]) | FileAttacks(s, occupied.squares());
}
// Attacks of a single slider.
Bitboard BishopAttacks(Square s, Bitboard occupied);
Bitboard RookAttacks(Square s, Bitboard occupied);

inline Bitboard StepAttacks(Color c, PieceType t, Square s) {
  return kAttacks.step[Index(c)][t][s];
}

// Attacks of a piece of type `t` and side `c` on `s`.
inline Bitboard Attacks(Color c, PieceType t, Square s, const Occupancy& occupied) {
  switch (t) {
    case kLance:
      return LanceAttacks(c, s, occupied.squares());
    case kBishop:
      return BishopAttacks(s, occupied);
    case kRook:
      return RookAttacks(s, occupied);
    case kHorse:
      return BishopAttacks(s, occupied) | StepAttacks(c, t, s);
    case kDragon:
      return RookAttacks(s, occupied) | StepAttacks(c, t, s);
    default:
      return StepAttacks(c, t, s);
  }
}

inline Bitboard Attacks(Color c, PieceType t, Square s, Bitboard occupied) {
  return Attacks(c, t, s, Occupancy(occupied));
}

// Squares strictly between two squares of one ray; empty if they are on none.
inline Bitboard Between(Square a, Square b) {
  const uint8_t d = kAttacks.direction[a][b];
  return d == kNoDirection ? Bitboard() : kAttacks.ray[d][a] & kAttacks.ray[d ^ 1][b];
}
// True if `a`, `b` and `c` lie on one line with b and c on the same side of a.
inline bool SameRay(Square a, Square b, Square c) {
  const uint8_t d = kAttacks.direction[a][b];
  return d != kNoDirection && kAttacks.direction[a][c] == d;
}

// All squares attacked by the pawns `pawns` of side `c`. REQUIRES: none is on its last rank, so no
// bit leaves its file.
constexpr Bitboard PawnAttacks(Color c, Bitboard pawns) {
  return c == kBlack ? Bitboard(pawns.lo() >> 1, pawns.hi() >> 1)
                     : Bitboard(pawns.lo() << 1, pawns.hi() << 1) & kAllSquares;
}

inline constexpr Bitboard kZone[2] = {RankMask(1, 3), RankMask(7, 9)};  // promotion zones
inline constexpr Bitboard kLastRank[2] = {RankMask(1, 1), RankMask(9, 9)};
inline constexpr Bitboard kLastTwoRanks[2] = {RankMask(1, 2), RankMask(8, 9)};

// Squares where a piece of type `t` may not stand, because it could never move.
constexpr Bitboard DeadSquares(Color c, PieceType t) {
  if (t == kPawn || t == kLance) return kLastRank[Index(c)];
  if (t == kKnight) return kLastTwoRanks[Index(c)];
  return {};
}

}  // namespace joseki::shogi
