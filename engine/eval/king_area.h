#pragma once

#include <array>
#include <cstdint>

#include "engine/shogi/position.h"

// The eight squares beside each king: who stands there, and how often both sides attack them.
namespace joseki::shogi {

inline constexpr int kBeside = 8;
// Of a square: empty, with a piece of the king's side or with one of the other, each with 0 to 3
// attacks (or more) by the other side and 0 to 2 (or more) by the king's, but for the king itself;
// the last: off the board.
inline constexpr int kBesideClasses = 3 * 4 * 3 + 1;
inline constexpr int kBesideInputs = kBeside * kBesideClasses;
inline constexpr int kHoldings = 4;  // by the pieces but pawns that the other side holds

struct KingArea {
  // One for each square: where it lies from the king as its owner sees it, mirrored if the king
  // stands left of the middle, and its class.
  std::array<uint16_t, kBeside> inputs;
  uint8_t holding;
};

// By the king's owner. Sliders see as far as the first piece; what stands behind does not count. Of
// a side without a king every square is off the board.
std::array<KingArea, 2> KingAreas(const Position& position);

}  // namespace joseki::shogi
