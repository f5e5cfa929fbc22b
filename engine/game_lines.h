#pragma once

#include <functional>
#include <string_view>

#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki {

enum class GameLine {
  kEmpty,   // no game on this line
  kWhole,   // every move was given
  kBroken,  // up to a move that is none, or not at all: the start is no position
};

// Replays a game of shogi, one line as in USI's "position". Calls `each` for every move with the
// position before it, the move before (Move() for the first), and the move itself.
GameLine ReplayLine(
    std::string_view line,
    const std::function<void(const shogi::Position& position, Move last, Move move)>& each);

}  // namespace joseki
