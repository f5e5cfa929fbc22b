#pragma once

#include <vector>

#include "book/formats/position.h"
#include "engine/core/types.h"

namespace joseki::book {

Color SideToMove(const PackedPosition& packed);

// The same position, of shogi or xiangqi, with the board turned and the colours exchanged: what one
// side may do in one, the other may do in the other. Moves and expected replies are turned with it.
DbPosition Turned(const DbPosition& position);

// Every position turned so that Black moves, those that become equal merged (Canonicalise).
void TurnToBlack(std::vector<DbPosition>& positions);

}  // namespace joseki::book
