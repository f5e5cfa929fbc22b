#pragma once

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// True if the exchanges that `move` starts on its target square win at least `threshold` for its
// side, if both take with the cheapest piece and may stop. The square's attackers are looked up
// again after each capture: a piece that leaves may open a rook's line, free a knight's way, and
// give or take a cannon its screen. Pins after the first move are left out; a king takes only
// unguarded pieces. REQUIRES: `move` is legal.
bool SeeAtLeast(const Position& position, Move move, Value threshold);

}  // namespace joseki::xiangqi
