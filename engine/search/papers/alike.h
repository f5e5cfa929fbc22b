#pragma once

#include <cstddef>
#include <span>

#include "engine/core/game.h"

namespace joseki {

// Moves played in similar positions: the port to what TACOS calls a partial-position book. The
// similarity is rough, so a node tries them early and plays none without a search.
template <Game G>
class AlikeMoves {
 public:
  virtual ~AlikeMoves() = default;

  // Fills in the moves, the most played first; returns their number, at most moves.size(). A move
  // need not be legal. Equal positions have equal answers as long as a search runs. Any thread.
  virtual size_t At(const typename G::Position& position, std::span<Move> moves) const = 0;
};

}  // namespace joseki
