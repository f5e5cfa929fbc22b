#pragma once

#include <vector>

#include "book/formats/position.h"
#include "engine/core/types.h"

namespace joseki::book {

Color SideToMove(const PackedPosition& packed);

// The position, of shogi or xiangqi, with the board turned and the colours exchanged: each side's
// moves become the other's. Moves and expected replies are turned with it.
DbPosition Turned(const DbPosition& position);

// Every position turned so that Black moves, those that become equal merged (Canonicalise).
void TurnToBlack(std::vector<DbPosition>& positions);

}  // namespace joseki::book
