// Compiled for AVX2: defines nothing outside its own namespace (engine/core/isa.h).
#include <immintrin.h>

#include "engine/shogi/drop_kernels.h"

namespace joseki::shogi::avx2 {
namespace {

Move* ListLane(Move* out, uint64_t lane, int files, uint16_t base) {
  __m256i bases = _mm256_set1_epi16(static_cast<int16_t>(base));
  for (int file = 0; file < files; ++file, lane >>= 9) {
    const auto* list = reinterpret_cast<const __m128i*>(&kFileLists.front() + (lane & 511));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm256_add_epi16(_mm256_cvtepu8_epi16(_mm_load_si128(list)), bases));
    bases = _mm256_add_epi16(bases, _mm256_set1_epi16(9));
    out += __builtin_popcountll(lane & 511);
  }
  return out;
}

}  // namespace

Move* ListDrops(Move* out, uint64_t lo, uint64_t hi, const uint16_t* bases, int kinds) {
  for (int i = 0; i < kinds; ++i) {
    out = ListLane(out, lo, 7, bases[i]);
    out = ListLane(out, hi, 2, static_cast<uint16_t>(bases[i] + 63));
  }
  return out;
}

}  // namespace joseki::shogi::avx2
