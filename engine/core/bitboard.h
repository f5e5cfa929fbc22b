#pragma once

#include <bit>
#include <cstdint>

namespace joseki {

// A set of up to 128 squares in two 64-bit lanes. Each game numbers its squares so that a whole
// number of files or of ranks lies in the low lane (see its types.h).
class Bitboard {
 public:
  constexpr Bitboard() = default;
  constexpr Bitboard(uint64_t lo, uint64_t hi) : lo_(lo), hi_(hi) {}

  constexpr uint64_t lo() const { return lo_; }
  constexpr uint64_t hi() const { return hi_; }

  constexpr explicit operator bool() const { return (lo_ | hi_) != 0; }
  constexpr bool operator==(const Bitboard&) const = default;
  constexpr int Count() const { return std::popcount(lo_) + std::popcount(hi_); }
  // True for more than one square; cheaper than Count() > 1.
  constexpr bool HasMany() const {
    return lo_ != 0 ? ((lo_ & (lo_ - 1)) | hi_) != 0 : (hi_ & (hi_ - 1)) != 0;
  }

  friend constexpr Bitboard operator&(Bitboard a, Bitboard b) {
    return {a.lo_ & b.lo_, a.hi_ & b.hi_};
  }
  friend constexpr Bitboard operator|(Bitboard a, Bitboard b) {
    return {a.lo_ | b.lo_, a.hi_ | b.hi_};
  }
  friend constexpr Bitboard operator^(Bitboard a, Bitboard b) {
    return {a.lo_ ^ b.lo_, a.hi_ ^ b.hi_};
  }
  // Set difference.
  friend constexpr Bitboard operator-(Bitboard a, Bitboard b) {
    return {a.lo_ & ~b.lo_, a.hi_ & ~b.hi_};
  }
  constexpr Bitboard& operator&=(Bitboard b) { return *this = *this & b; }
  constexpr Bitboard& operator|=(Bitboard b) { return *this = *this | b; }
  constexpr Bitboard& operator^=(Bitboard b) { return *this = *this ^ b; }

 private:
  uint64_t lo_ = 0;
  uint64_t hi_ = 0;
};

}  // namespace joseki
