#pragma once

#include <array>
#include <cstdint>

#include "engine/core/isa.h"
#include "engine/core/types.h"

// The one part of move generation that gains by wider registers: in a middle game most moves are
// drops, the same squares again for each kind in hand.
namespace joseki::shogi {

// Writes a move to each square of a set (the lanes of a Bitboard, square by square): first those
// whose bits are bases[0] plus the square, then those of bases[1], ... Returns the end of what was
// written; up to kDropOverrun places behind it are written over. REQUIRES: kinds >= 1.
using DropKernel = Move* (*)(Move* out, uint64_t lo, uint64_t hi, const uint16_t* bases, int kinds);
inline constexpr int kDropOverrun = 16;

namespace baseline {
Move* ListDrops(Move* out, uint64_t lo, uint64_t hi, const uint16_t* bases, int kinds);
}  // namespace baseline
namespace avx2 {
Move* ListDrops(Move* out, uint64_t lo, uint64_t hi, const uint16_t* bases, int kinds);
}  // namespace avx2

// REQUIRES: the processor has `isa`.
constexpr DropKernel DropKernelFor(Isa isa) {
  return isa == Isa::kAvx2 ? avx2::ListDrops : baseline::ListDrops;
}

// For each set of a file's nine squares: their numbers in the file, in order, a byte each.
struct alignas(16) FileList {
  std::array<uint8_t, 16> squares;
};
extern const std::array<FileList, 512> kFileLists;

}  // namespace joseki::shogi
