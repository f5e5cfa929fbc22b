#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>

namespace joseki {

// The side that moves first: Black (sente) in shogi, Red in xiangqi.
enum class Color : uint8_t { kFirst, kSecond };

constexpr Color operator~(Color c) { return static_cast<Color>(static_cast<uint8_t>(c) ^ 1); }
constexpr int Index(Color c) { return static_cast<int>(c); }

// A move in 16 bits, the form of the protocol, the database and the .ybb book:
//   bits 0-6 to-square; 7-13 from-square, or for a drop the piece type;
//   bit 14 drop; bit 15 promotion.
// Each game numbers its squares. 0 is "no move".
class Move {
 public:
  constexpr Move() = default;
  constexpr explicit Move(uint16_t raw) : raw_(raw) {}

  static constexpr Move Board(int from, int to, bool promote = false) {
    return Move(static_cast<uint16_t>(to | from << 7 | (promote ? 1 << 15 : 0)));
  }
  static constexpr Move Drop(int kind, int to) {
    return Move(static_cast<uint16_t>(to | kind << 7 | 1 << 14));
  }

  constexpr uint16_t raw() const { return raw_; }
  constexpr int to() const { return raw_ & 0x7f; }
  constexpr int from() const { return raw_ >> 7 & 0x7f; }     // REQUIRES: !is_drop()
  constexpr int dropped() const { return raw_ >> 7 & 0x7f; }  // REQUIRES: is_drop()
  constexpr bool is_drop() const { return (raw_ & 1 << 14) != 0; }
  constexpr bool promotes() const { return (raw_ & 1 << 15) != 0; }
  constexpr explicit operator bool() const { return raw_ != 0; }
  constexpr auto operator<=>(const Move&) const = default;

 private:
  uint16_t raw_ = 0;
};

// Hash of a position: placement, hands and side to move, without ply. The search uses `lo`. The
// book uses both halves and stores the packed position beside them.
struct Key {
  uint64_t hi = 0;
  uint64_t lo = 0;

  constexpr Key& operator^=(const Key& other) {
    hi ^= other.hi;
    lo ^= other.lo;
    return *this;
  }
  friend constexpr Key operator^(Key a, const Key& b) { return a ^= b; }
  constexpr auto operator<=>(const Key&) const = default;
};

// An exact encoding of a position without ply, in 256 bits; each game has its own layout.
struct PackedPosition {
  std::array<uint8_t, 32> bytes{};
  auto operator<=>(const PackedPosition&) const = default;
};

}  // namespace joseki

template <>
struct std::hash<joseki::Key> {
  size_t operator()(const joseki::Key& key) const noexcept { return key.lo; }
};
