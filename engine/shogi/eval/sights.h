#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/shogi/attacks.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// A bishop or rook, promoted or not, and its view along its lines, up to and including the first
// piece.
struct Sight {
  uint64_t lo;
  uint64_t hi;
  Piece piece;
  uint8_t square;

  Bitboard lines() const { return {lo, hi}; }
};

// The sights of a position's sliders, computed once for all users: bishops first, then rooks.
class Sights {
 public:
  explicit Sights(const Position& position) {
    const Occupancy occupied(position.occupied());
    auto add = [&](Square s, Bitboard lines) {
      list_[count_++] = {.lo = lines.lo(),
                         .hi = lines.hi(),
                         .piece = position.piece(s),
                         .square = static_cast<uint8_t>(s)};
    };
    ForEach(position.pieces(kBishop) | position.pieces(kHorse),
            [&](Square s) { add(s, BishopAttacks(s, occupied)); });
    bishops_ = count_;
    ForEach(position.pieces(kRook) | position.pieces(kDragon),
            [&](Square s) { add(s, RookAttacks(s, occupied)); });
  }

  const Sight* begin() const { return list_.data(); }
  const Sight* rooks() const { return list_.data() + bishops_; }
  const Sight* end() const { return list_.data() + count_; }

 private:
  size_t count_ = 0;
  size_t bishops_ = 0;
  std::array<Sight, kSquareCount> list_;  // uninitialised beyond the counted elements
};

}  // namespace joseki::shogi
