#pragma once

#include "engine/core/types.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// A move that leaves the other side in check without a legal move; Move() if there is none.
// Stalemate, which also wins, is not searched for. Plays on `position` and restores it.
Move MateInOne(Position& position);

}  // namespace joseki::xiangqi
