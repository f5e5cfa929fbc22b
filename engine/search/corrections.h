#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// Corrections of the evaluation, learned from the errors that searches found, by parts that many
// positions of a tree share. An evaluation that misjudges a part in one position usually misjudges
// it in the others.
class Corrections {
 public:
  static constexpr int kParts = 4;
  // Hash of each part of a position; any bits.
  using Parts = std::array<uint32_t, kParts>;

  void Clear() { std::memset(table_, 0, sizeof table_); }

  // Correction to add to the evaluation for the side to move.
  Value Of(const Parts& parts, Color side) const {
    int sum = 0;
    for (size_t i = 0; i < kParts; ++i) sum += table_[i][Index(side)][parts[i] >> kShift];
    return sum / kPerPoint;
  }
  // Learns from a search of `plies` plies whose value exceeded the corrected evaluation by
  // `difference`.
  void Learn(const Parts& parts, Color side, Value difference, int plies) {
    const int bonus = std::clamp(difference * plies / 8, -kMost / 4, kMost / 4);
    const int size = bonus < 0 ? -bonus : bonus;
    for (size_t i = 0; i < kParts; ++i) {
      int16_t& entry = table_[i][Index(side)][parts[i] >> kShift];
      entry = static_cast<int16_t>(entry + bonus - entry * size / kMost);
    }
  }

 private:
  static constexpr int kBits = 12;
  static constexpr int kShift = 32 - kBits;
  static constexpr int kMost = 1024;
  static constexpr int kPerPoint = 16;

  int16_t table_[kParts][2][size_t{1} << kBits];
};

}  // namespace joseki
