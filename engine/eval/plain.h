#pragma once

#include "engine/core/value.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// The plain evaluation, from the side to move: material on board and in hand, where pieces stand,
// how far sliders see, and how the kings are guarded and pressed. Integers only; the same for both
// colours seen from their own side. Written by hand: enough for sensible play at small node counts.
Value EvaluatePlain(const Position& position);

}  // namespace joseki::shogi
