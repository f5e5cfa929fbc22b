#pragma once

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// Static exchange evaluation: true if `move` and the following captures on its target square win at
// least `threshold`. Each side captures with its cheapest piece and may stop. Pins and promotions
// after the first move are ignored. REQUIRES: `move` is legal.
bool SeeAtLeast(const Position& position, Move move, Value threshold);

}  // namespace joseki::shogi
