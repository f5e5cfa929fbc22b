#pragma once

#include "engine/shogi/position.h"

// Terms of TACOS (J. Nagashima) beside its formations. The sizes are ours.
namespace joseki::shogi {

// Mobility of lances: 4 for each square that one can go to. Rooks and bishops have theirs in the
// plain evaluation.
int LanceMobility(const Position& position, Color side);

}  // namespace joseki::shogi
