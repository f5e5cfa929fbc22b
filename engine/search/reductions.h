#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "engine/search/depth.h"

namespace joseki {

// Sixteen times the binary logarithm, linear between powers of two. Integer arithmetic, because the
// last bit of std::log differs between libraries and the search must not. REQUIRES: x >= 1.
constexpr int Log2x16(unsigned x) {
  const int whole = static_cast<int>(std::bit_width(x)) - 1;
  return 16 * whole + static_cast<int>((16 * (x - (1u << whole))) >> whole);
}

// Reduction of a late quiet move, in fractions of a ply. It grows with the logarithms of depth and
// of the number of moves tried before.
class Reductions {
 public:
  constexpr Reductions() {
    for (int depth = 1; depth < kSize; ++depth) {
      for (int index = 1; index < kSize; ++index) {
        const int product =
            Log2x16(static_cast<unsigned>(depth)) * Log2x16(static_cast<unsigned>(index));
        table_[depth][index] = static_cast<uint16_t>(product * kPly / kScale);
      }
    }
  }

  constexpr int operator()(int depth, int index) const {
    return table_[std::min(depth, kSize - 1)][std::min(index, kSize - 1)];
  }

 private:
  static constexpr int kSize = 64;
  // 256 log2(depth) log2(index) / 1150 = ln(depth) ln(index) / 2.2.
  static constexpr int kScale = 1150;

  std::array<std::array<uint16_t, kSize>, kSize> table_{};
};

}  // namespace joseki
