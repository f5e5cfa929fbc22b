#pragma once

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// Static exchange evaluation: whether `move` and the captures that may follow on its target square,
// each side taking with its cheapest piece and stopping when it likes, win at least `threshold`.
// Pins and promotions after the first move are left out. REQUIRES: `move` is legal.
bool SeeAtLeast(const Position& position, Move move, Value threshold);

}  // namespace joseki::shogi
