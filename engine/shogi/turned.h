#pragma once

#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// The position turned by 180 degrees with colours exchanged, without history.
Position Turned(const Position& position);

// The image of a move under the same map.
Move Turned(Move move);

}  // namespace joseki::shogi
