#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/shogi/types.h"

namespace joseki::shogi {

// The attacker's hand in 28 bits: a field for each piece type with a spare bit above it, so that
// one subtraction compares all types. A mate search stores tens of millions of them.
class MateHand {
 public:
  constexpr MateHand() = default;
  constexpr explicit MateHand(uint32_t bits) : bits_(bits) {}
  constexpr explicit MateHand(Hand hand) {
    for (int t = kPawn; t <= kGold; ++t) {
      Set(static_cast<PieceType>(t), hand.Count(static_cast<PieceType>(t)));
    }
  }

  constexpr int Count(PieceType t) const {
    return static_cast<int>(bits_ >> kShift[t]) & kFullMask[t];
  }
  // REQUIRES: `count` fits the type's field (kMost).
  constexpr void Set(PieceType t, int count) {
    bits_ = (bits_ & ~(static_cast<uint32_t>(kFullMask[t]) << kShift[t])) |
            static_cast<uint32_t>(count) << kShift[t];
  }

  // True if no piece type has fewer pieces than in `other`.
  constexpr bool HasAllOf(MateHand other) const {
    return (((bits_ | kSpare) - other.bits_) & kSpare) == kSpare;
  }
  // Maximum and minimum by piece type.
  friend constexpr MateHand Union(MateHand a, MateHand b) {
    return Each(a, b, [](int x, int y) { return std::max(x, y); });
  }
  friend constexpr MateHand Intersection(MateHand a, MateHand b) {
    return Each(a, b, [](int x, int y) { return std::min(x, y); });
  }

  constexpr uint32_t bits() const { return bits_; }
  constexpr bool operator==(const MateHand&) const = default;

 private:
  template <typename F>
  static constexpr MateHand Each(MateHand a, MateHand b, F&& f) {
    MateHand hand;
    for (int t = kPawn; t <= kGold; ++t) {
      const auto kind = static_cast<PieceType>(t);
      hand.Set(kind, f(a.Count(kind), b.Count(kind)));
    }
    return hand;
  }

  static constexpr int kShift[kHandTypeCount] = {0, 0, 6, 10, 14, 18, 21, 24};
  static constexpr int kFullMask[kHandTypeCount] = {0, 31, 7, 7, 7, 3, 3, 7};
  static constexpr uint32_t kSpare =
      1U << 5 | 1U << 9 | 1U << 13 | 1U << 17 | 1U << 20 | 1U << 23 | 1U << 27;

  uint32_t bits_ = 0;
};

// All pieces of each type: an upper bound of every hand.
inline constexpr MateHand kEveryPiece = [] {
  MateHand hand;
  for (int t = kPawn; t <= kGold; ++t) hand.Set(static_cast<PieceType>(t), kFullSet[t]);
  return hand;
}();

}  // namespace joseki::shogi
