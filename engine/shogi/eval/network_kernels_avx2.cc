// Compiled for AVX2: defines nothing outside its own namespace (engine/core/isa.h).
#include <immintrin.h>

#include <cstddef>

#include "engine/shogi/eval/network.h"
#include "engine/shogi/eval/network_kernels.h"

namespace joseki::shogi::avx2 {
namespace {

constexpr int kLanes = 16;
constexpr int kRegisters = kWidth / kLanes;
constexpr int kAtOnce = kRegisters < 8 ? kRegisters : 8;
static_assert(kRegisters % kAtOnce == 0);

// Index of the first number of a register.
constexpr std::ptrdiff_t Place(int part) { return std::ptrdiff_t{part} * kLanes; }

__m256i Load(const int16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }

// A clamped v times a one-byte weight fits 16 bits; that times v, added in pairs, fits 32.
__m256i SumOf(const int16_t* values, const int16_t* weights) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i unit = _mm256_set1_epi16(kUnit);
  __m256i sum = zero;
  for (int i = 0; i < kWidth; i += kLanes) {
    const __m256i v = _mm256_min_epi16(_mm256_max_epi16(Load(values + i), zero), unit);
    const __m256i product = _mm256_mullo_epi16(v, Load(weights + i));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(v, product));
  }
  return sum;
}

}  // namespace

void Accumulate(int16_t* out, const int16_t* in, const Row* added, int adds, const Row* removed,
                int removals) {
  for (int part = 0; part < kRegisters; part += kAtOnce) {
    __m256i sums[kAtOnce];
    for (int i = 0; i < kAtOnce; ++i) sums[i] = Load(in + Place(part + i));
    for (int r = 0; r < adds; ++r) {
      for (int i = 0; i < kAtOnce; ++i) {
        sums[i] = _mm256_add_epi16(sums[i], Load(added[r] + Place(part + i)));
      }
    }
    for (int r = 0; r < removals; ++r) {
      for (int i = 0; i < kAtOnce; ++i) {
        sums[i] = _mm256_sub_epi16(sums[i], Load(removed[r] + Place(part + i)));
      }
    }
    for (int i = 0; i < kAtOnce; ++i) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + Place(part + i)), sums[i]);
    }
  }
}

int64_t Output(const int16_t* own, const int16_t* other, const int16_t* weights) {
  const __m256i sum = _mm256_add_epi32(SumOf(own, weights), SumOf(other, weights + kWidth));
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
  return _mm_cvtsi128_si32(half);
}

}  // namespace joseki::shogi::avx2
