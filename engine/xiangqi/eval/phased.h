#pragma once

#include <cstdint>

#include "engine/core/value.h"
#include "engine/xiangqi/types.h"

namespace joseki::xiangqi {

// Phase of the game, by the attacking pieces left: 0 without any, kFullPhase with all.
inline constexpr int kFullPhase = 32;
inline constexpr int kPhaseOf[kPieceTypeCount] = {0, 0, 0, 0, 2, 4, 2, 0};

// A value for the middle game and one for the end, packed into one number of two 16-bit halves.
// Packing and unpacking handle the borrow between the halves.
class Phased {
 public:
  constexpr Phased() = default;
  constexpr Phased(int middle, int end)
      : sum_(static_cast<int32_t>((static_cast<uint32_t>(middle) << 16) +
                                  static_cast<uint32_t>(end))) {}

  constexpr int middle() const { return (sum_ + 0x8000) >> 16; }
  constexpr int end() const { return static_cast<int16_t>(static_cast<uint16_t>(sum_)); }
  // Interpolates between the two values by the phase.
  constexpr Value At(int phase) const {
    return (middle() * phase + end() * (kFullPhase - phase)) / kFullPhase;
  }

  constexpr Phased& operator+=(Phased other) {
    sum_ += other.sum_;
    return *this;
  }
  constexpr Phased& operator-=(Phased other) {
    sum_ -= other.sum_;
    return *this;
  }
  friend constexpr Phased operator*(Phased value, int times) {
    value.sum_ *= times;
    return value;
  }
  constexpr bool operator==(const Phased&) const = default;

 private:
  int32_t sum_ = 0;
};

}  // namespace joseki::xiangqi
