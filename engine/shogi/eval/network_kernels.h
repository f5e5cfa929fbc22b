#pragma once

#include <cstdint>

#include "engine/core/isa.h"

// The two loops of the learned evaluation, for every processor and for those with AVX2. The same
// results: whole numbers, sums of 16 bits modulo 2^16.
namespace joseki::shogi {

// A row of kWidth weights to be added, or subtracted.
using Row = const int16_t*;

// out = in + all of `added` - all of `removed`. `in` and `out` may be the same.
using AccumulateKernel = void (*)(int16_t* out, const int16_t* in, const Row* added, int adds,
                                  const Row* removed, int removals);
// The sum over both accumulators of (bounded to 0 .. kUnit, squared) times the weight, own first.
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
