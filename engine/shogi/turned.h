#pragma once

#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// The position with the board turned by 180 degrees and the colours exchanged, no history.
Position Turned(const Position& position);

// The move of one position as it is in the other.
Move Turned(Move move);

}  // namespace joseki::shogi
