#include "engine/shogi/eval/network_kernels.h"

#include <algorithm>

#include "engine/shogi/eval/network.h"

namespace joseki::shogi::baseline {
namespace {

int64_t OutputOf(const int16_t* values, const int16_t* weights) {
  int64_t sum = 0;
  for (int i = 0; i < kWidth; ++i) {
    const int bounded = std::clamp<int>(values[i], 0, kUnit);
    sum += int64_t{bounded} * bounded * weights[i];
  }
  return sum;
}

}  // namespace

void Accumulate(int16_t* out, const int16_t* in, const Row* added, int adds, const Row* removed,
                int removals) {
  // Unsigned, so that a sum beyond 16 bits wraps as in the AVX2 kernel.
  uint16_t sums[kWidth];
  for (int i = 0; i < kWidth; ++i) sums[i] = static_cast<uint16_t>(in[i]);
  for (int r = 0; r < adds; ++r) {
    for (int i = 0; i < kWidth; ++i) {
      sums[i] = static_cast<uint16_t>(sums[i] + static_cast<uint16_t>(added[r][i]));
    }
  }
  for (int r = 0; r < removals; ++r) {
    for (int i = 0; i < kWidth; ++i) {
      sums[i] = static_cast<uint16_t>(sums[i] - static_cast<uint16_t>(removed[r][i]));
    }
  }
  for (int i = 0; i < kWidth; ++i) out[i] = static_cast<int16_t>(sums[i]);
}

int64_t Output(const int16_t* own, const int16_t* other, const int16_t* weights) {
  return OutputOf(own, weights) + OutputOf(other, weights + kWidth);
}

}  // namespace joseki::shogi::baseline
