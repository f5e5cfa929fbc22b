#include "engine/shogi/eval/recent.h"

#include <emmintrin.h>

#include <bit>
#include <cassert>
#include <cstring>

namespace joseki::shogi {

void Take(const Position& position, Snapshot& out) {
  std::memcpy(out.board.data(), position.board(), kSquareCount);
  out.hands = {position.hand(kBlack), position.hand(kWhite)};
  out.kings = {position.king(kBlack), position.king(kWhite)};
  out.used = true;
}

int Differences(const Snapshot& a, const Snapshot& b, std::array<uint64_t, 2>& differ) {
  auto different = [&](size_t at) {
    const __m128i x = _mm_load_si128(reinterpret_cast<const __m128i*>(a.board.data() + at));
    const __m128i y = _mm_load_si128(reinterpret_cast<const __m128i*>(b.board.data() + at));
    return uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(x, y))) ^ 0xffffU};
  };
  differ[0] = different(0) | different(16) << 16 | different(32) << 32 | different(48) << 48;
  differ[1] = different(64) | different(80) << 16;
  return std::popcount(differ[0]) + std::popcount(differ[1]);
}

void ListChanges(const Snapshot& before, const Snapshot& after, std::array<uint64_t, 2> differ,
                 Changes& out) {
  out.count = 0;
  for (size_t lane = 0; lane < 2; ++lane) {
    for (uint64_t rest = differ[lane]; rest != 0; rest &= rest - 1) {
      const size_t square = 64 * lane + static_cast<size_t>(std::countr_zero(rest));
      assert(out.count < kMostChanges);
      out.list[static_cast<size_t>(out.count++)] = {before.board[square], after.board[square],
                                                    static_cast<uint8_t>(square)};
    }
  }
}

}  // namespace joseki::shogi
