#pragma once

#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// A move that mates at once; Move() if there is none. Plays on `position` and restores it. Exact: a
// pawn drop that mates is illegal and never returned.
Move MateInOne(Position& position);
// Considers only the checking moves `checks`.
Move MateInOne(Position& position, const MoveList& checks);

}  // namespace joseki::shogi
