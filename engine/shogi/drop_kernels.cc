#include "engine/shogi/drop_kernels.h"

#include <emmintrin.h>
#include <smmintrin.h>

#include <bit>

namespace joseki::shogi {
namespace {

constexpr std::array<FileList, 512> MakeFileLists() {
  std::array<FileList, 512> lists{};
  for (size_t set = 0; set < lists.size(); ++set) {
    size_t count = 0;
    for (int rank = 0; rank < 9; ++rank) {
      if ((set >> rank & 1) != 0) lists[set].squares[count++] = static_cast<uint8_t>(rank);
    }
  }
  return lists;
}

}  // namespace

constinit const std::array<FileList, 512> kFileLists = MakeFileLists();

namespace baseline {
namespace {

// Lists the squares of the files of one lane, from the square of `base`.
Move* ListLane(Move* out, uint64_t lane, int files, uint16_t base) {
  __m128i bases = _mm_set1_epi16(static_cast<int16_t>(base));
  const __m128i zero = _mm_setzero_si128();
  for (int file = 0; file < files; ++file, lane >>= 9) {
    const FileList& list = kFileLists[lane & 511];
    const __m128i squares = _mm_load_si128(reinterpret_cast<const __m128i*>(list.squares.data()));
    auto* place = reinterpret_cast<__m128i*>(out);
    _mm_storeu_si128(place, _mm_add_epi16(_mm_cvtepu8_epi16(squares), bases));
    _mm_storeu_si128(place + 1, _mm_add_epi16(_mm_unpackhi_epi8(squares, zero), bases));
    bases = _mm_add_epi16(bases, _mm_set1_epi16(9));
    out += std::popcount(lane & 511);
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

}  // namespace baseline
}  // namespace joseki::shogi
