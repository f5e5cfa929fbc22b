#pragma once

#include <vector>

#include "book/formats/position.h"
#include "engine/core/types.h"

namespace joseki::book {

Color SideToMove(const PackedPosition& packed);

// The shogi or xiangqi position with the board turned and the colours exchanged: each side's moves
// become the other's. Moves and expected replies are turned too.
DbPosition Turned(const DbPosition& position);

// Turns every position so that Black is to move, and merges those that become equal (Canonicalise).
void TurnToBlack(std::vector<DbPosition>& positions);

}  // namespace joseki::book
