#pragma once

#include <cstdint>

#include "engine/core/isa.h"

// The two loops of the learned evaluation, in a baseline and an AVX2 version with identical
// results: integers, 16-bit sums modulo 2^16.
namespace joseki::shogi {

// A row of kWidth weights to add or subtract.
using Row = const int16_t*;

// out = in + all rows of `added` - all rows of `removed`. `in` and `out` may be equal.
using AccumulateKernel = void (*)(int16_t* out, const int16_t* in, const Row* added, int adds,
                                  const Row* removed, int removals);
// Sum over both accumulators, own first, of (value clamped to 0 .. kUnit)^2 * weight.
using OutputKernel = int64_t (*)(const int16_t* own, const int16_t* other, const int16_t* weights);

struct NetworkKernels {
  AccumulateKernel accumulate;
  OutputKernel output;
};

namespace baseline {
void Accumulate(int16_t* out, const int16_t* in, const Row* added, int adds, const Row* removed,
                int removals);
int64_t Output(const int16_t* own, const int16_t* other, const int16_t* weights);
}  // namespace baseline
namespace avx2 {
void Accumulate(int16_t* out, const int16_t* in, const Row* added, int adds, const Row* removed,
                int removals);
int64_t Output(const int16_t* own, const int16_t* other, const int16_t* weights);
}  // namespace avx2

// REQUIRES: the processor has `isa`.
constexpr NetworkKernels NetworkKernelsFor(Isa isa) {
  return isa == Isa::kAvx2 ? NetworkKernels{avx2::Accumulate, avx2::Output}
                           : NetworkKernels{baseline::Accumulate, baseline::Output};
}

}  // namespace joseki::shogi
