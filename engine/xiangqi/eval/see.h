#pragma once

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// True if the exchanges that `move` starts on its target square win at least `threshold` for its
// side. Each side captures with its cheapest piece and may stop. The attackers are recomputed after
// each capture: a piece that leaves may open a rook's line, unblock a knight, and add or remove a
// cannon's screen. Pins after the first move are ignored; a king captures only unguarded pieces.
// REQUIRES: `move` is legal.
bool SeeAtLeast(const Position& position, Move move, Value threshold);

}  // namespace joseki::xiangqi
