#pragma once

#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// A move that mates at once; no move if there is none. Plays on `position` and takes everything
// back. Exact, by the rules: a pawn dropped for mate is not legal and never given.
Move MateInOne(Position& position);
// Looks among the checking moves `checks` alone.
Move MateInOne(Position& position, const MoveList& checks);

}  // namespace joseki::shogi
