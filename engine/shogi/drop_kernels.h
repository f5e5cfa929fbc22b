#pragma once

#include <array>
#include <cstdint>

#include "engine/core/isa.h"
#include "engine/core/types.h"

// The only part of move generation that gains from wider registers. In a middle game most moves are
// drops, with the same squares for each piece type in hand.
namespace joseki::shogi {

// Writes a move to each square of a set, given as the lanes of a Bitboard. The moves to all squares
// with bits bases[0] + square come first, then those with bases[1], and so on. Returns the end of
// the output; up to kDropOverrun elements beyond it are overwritten. REQUIRES: kinds >= 1.
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

// For each set of a file's nine squares: their indices in the file, ascending, one byte each.
struct alignas(16) FileList {
  std::array<uint8_t, 16> squares;
};
extern const std::array<FileList, 512> kFileLists;

}  // namespace joseki::shogi
