#pragma once

#include <array>
#include <bit>

#include "engine/core/bitboard.h"
#include "engine/shogi/types.h"

// Which squares a piece attacks: steps from tables, sliders by rays and the first blocker on them.
namespace joseki::shogi {

// Files 1-7 (squares 0-62) lie in the low lane, files 8-9 in the high lane.
inline constexpr int kLowSquares = 63;

constexpr Bitboard Bit(Square s) {
  return s < kLowSquares ? Bitboard(uint64_t{1} << s, 0)
                         : Bitboard(0, uint64_t{1} << (s - kLowSquares));
}
constexpr bool Has(Bitboard b, Square s) {
  return s < kLowSquares ? (b.lo() >> s & 1) != 0 : (b.hi() >> (s - kLowSquares) & 1) != 0;
}
// REQUIRES: b.
constexpr Square First(Bitboard b) {
  return b.lo() != 0 ? std::countr_zero(b.lo()) : kLowSquares + std::countr_zero(b.hi());
}
// Takes the first square out of the set. REQUIRES: b.
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
// The ranks first..last (1..9) on every file.
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
// Whether squares grow along `d`, so that the nearest blocker is the lowest bit.
constexpr bool Ascends(Direction d) {
  return d == kSouth || d == kWest || d == kSouthWest || d == kNorthWest;
}

struct AttackTables {
  std::array<std::array<Bitboard, kSquareCount>, 8> ray;  // without the origin
  // [color][kind][square]: the single steps; for horse and dragon their king's steps, for the other
  // sliders nothing.
  std::array<std::array<std::array<Bitboard, kSquareCount>, kPieceTypeCount>, 2> step;
  // [color][square]: where a stepping piece of that side must stand to attack a neighbour of the
  // square (or more: horses and dragons step too).
  std::array<std::array<Bitboard, kSquareCount>, 2> reach;
  std::array<Bitboard, kSquareCount> bishop_rays;  // on an empty board
  std::array<Bitboard, kSquareCount> rook_rays;
  // The direction in which the second square lies from the first; kNoDirection if not on a ray.
  std::array<std::array<uint8_t, kSquareCount>, kSquareCount> direction;
};
extern const AttackTables kAttacks;

// Up to and with the first blocker. Ascending rays: subtracting 1 from the blockers flips exactly
// the bits up to the lowest one, and all bits if there is none, so nothing has to be asked.
template <Direction d>
inline Bitboard RayAttacks(Square s, Bitboard occupied) {
  const Bitboard ray = kAttacks.ray[d][s];
  if constexpr (Ascends(d)) {
    const Bitboard blockers = ray & occupied;
    const uint64_t lo = blockers.lo() - 1;
    const uint64_t hi = blockers.hi() - (blockers.lo() == 0 ? 1 : 0);
    return ray & Bitboard(lo ^ blockers.lo(), hi ^ blockers.hi());
  } else if constexpr (d == kNorth) {
    // Within one lane. The far end of the file stands in for a blocker: the ray ends there anyway.
    const bool low = s < kLowSquares;
    const uint64_t lane = low ? ray.lo() : ray.hi();
    const uint64_t end = lane & (0 - lane);
    const uint64_t blockers = (lane & (low ? occupied.lo() : occupied.hi())) | end | 1;
    const uint64_t reach = lane & (~uint64_t{0} << (63 - std::countl_zero(blockers)));
    return low ? Bitboard(reach, 0) : Bitboard(0, reach);
  } else {
    // Neighbours on these rays lie at least 8 squares apart, one to a byte, so reversing the bytes
    // makes the ray ascend.
    const uint64_t blockers_lo = __builtin_bswap64(ray.hi() & occupied.hi());
    const uint64_t blockers_hi = __builtin_bswap64(ray.lo() & occupied.lo());
    const uint64_t lo = blockers_lo - 1;
    const uint64_t hi = blockers_hi - (blockers_lo == 0 ? 1 : 0);
    return ray & Bitboard(__builtin_bswap64(hi ^ blockers_hi), __builtin_bswap64(lo ^ blockers_lo));
  }
}

inline Bitboard LanceAttacks(Color c, Square s, Bitboard occupied) {
  return c == kBlack ? RayAttacks<kNorth>(s, occupied) : RayAttacks<kSouth>(s, occupied);
}
inline Bitboard BishopAttacks(Square s, Bitboard occupied) {
  return RayAttacks<kNorthEast>(s, occupied) | RayAttacks<kSouthWest>(s, occupied) |
         RayAttacks<kNorthWest>(s, occupied) | RayAttacks<kSouthEast>(s, occupied);
}
inline Bitboard RookAttacks(Square s, Bitboard occupied) {
  return RayAttacks<kNorth>(s, occupied) | RayAttacks<kSouth>(s, occupied) |
         RayAttacks<kEast>(s, occupied) | RayAttacks<kWest>(s, occupied);
}

inline Bitboard StepAttacks(Color c, PieceType t, Square s) {
  return kAttacks.step[Index(c)][t][s];
}

// What a piece of kind `t` and side `c` on `s` attacks.
inline Bitboard Attacks(Color c, PieceType t, Square s, Bitboard occupied) {
  switch (t) {
    case kLance:
      return LanceAttacks(c, s, occupied);
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

// The squares strictly between two squares on one ray; empty if they are not on one.
inline Bitboard Between(Square a, Square b) {
  const uint8_t d = kAttacks.direction[a][b];
  return d == kNoDirection ? Bitboard() : kAttacks.ray[d][a] & kAttacks.ray[d ^ 1][b];
}
// Whether `a`, `b` and `c` lie on one line with b and c on the same side of a.
inline bool SameRay(Square a, Square b, Square c) {
  const uint8_t d = kAttacks.direction[a][b];
  return d != kNoDirection && kAttacks.direction[a][c] == d;
}

// All squares that the pawns in `pawns` of side `c` attack. No pawn stands on its last rank, so
// nothing leaves its file.
constexpr Bitboard PawnAttacks(Color c, Bitboard pawns) {
  return c == kBlack ? Bitboard(pawns.lo() >> 1, pawns.hi() >> 1)
                     : Bitboard(pawns.lo() << 1, pawns.hi() << 1) & kAllSquares;
}

inline constexpr Bitboard kZone[2] = {RankMask(1, 3), RankMask(7, 9)};  // promotion zones
inline constexpr Bitboard kLastRank[2] = {RankMask(1, 1), RankMask(9, 9)};
inline constexpr Bitboard kLastTwoRanks[2] = {RankMask(1, 2), RankMask(8, 9)};

// Where a piece of kind `t` may never stand: it could not move from there.
constexpr Bitboard DeadSquares(Color c, PieceType t) {
  if (t == kPawn || t == kLance) return kLastRank[Index(c)];
  if (t == kKnight) return kLastTwoRanks[Index(c)];
  return {};
}

}  // namespace joseki::shogi
