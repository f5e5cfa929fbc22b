#pragma once

#include <cstdint>

#include "engine/core/types.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// Maps of positions that preserve the rules. Each is its own inverse. The product of two is the map
// whose number is the exclusive or of theirs.
enum class Symmetry : uint8_t {
  kNone = 0,
  kMirror = 1,  // left and right exchanged
  kTurn = 2,    // the board turned by 180 degrees and the colours exchanged
  kBoth = 3,
};

constexpr bool ExchangesColours(Symmetry symmetry) {
  return symmetry == Symmetry::kTurn || symmetry == Symmetry::kBoth;
}

// The image of a position, without history.
Position Mapped(Symmetry symmetry, const Position& position);

// The image of a move; Move() is its own image.
Move Mapped(Symmetry symmetry, Move move);

}  // namespace joseki::xiangqi
