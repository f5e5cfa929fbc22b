#pragma once

#include <cstdint>

#include "engine/core/types.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// The maps of positions under which the rules stay the same. Each is its own inverse; two different
// ones in turn are the one whose number is theirs, combined bit by bit with exclusive or.
enum class Symmetry : uint8_t {
  kNone = 0,
  kMirror = 1,  // left and right exchanged
  kTurn = 2,    // the board turned by 180 degrees and the colours exchanged
  kBoth = 3,
};

constexpr bool ExchangesColours(Symmetry symmetry) {
  return symmetry == Symmetry::kTurn || symmetry == Symmetry::kBoth;
}

// The position as it is after the map, no history.
Position Mapped(Symmetry symmetry, const Position& position);

// The move of one position as it is in the other; Move() stays.
Move Mapped(Symmetry symmetry, Move move);

}  // namespace joseki::xiangqi
