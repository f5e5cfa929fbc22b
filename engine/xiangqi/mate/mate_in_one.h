#pragma once

#include "engine/core/types.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// A move that leaves the other side, in check, without a legal move; no move if there is none.
// A side that is left without a move out of check has lost as well: that is not looked for. Plays
// on `position` and takes everything back.
Move MateInOne(Position& position);

}  // namespace joseki::xiangqi
