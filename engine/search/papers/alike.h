#pragma once

#include <cstddef>
#include <span>

#include "engine/core/game.h"

namespace joseki {

// Moves of positions that are like the one at hand: the port to what TACOS calls a partial-position
// book. Likeness is rough, so that a node tries them early and plays none of them unseen.
template <Game G>
class AlikeMoves {
 public:
  virtual ~AlikeMoves() = default;

  // Fills in the moves, the most played first, and says how many, at most moves.size(); a move need
  // not be legal. Equal positions have equal answers as long as a search runs. Any thread.
  virtual size_t At(const typename G::Position& position, std::span<Move> moves) const = 0;
};

}  // namespace joseki
