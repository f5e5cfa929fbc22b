#pragma once

#include <cstddef>
#include <span>

#include "engine/core/game.h"

namespace joseki {

// What practice says for a move, in centipawns; below zero: against it.
struct Favour {
  Move move;
  Value bonus = 0;
};

// Bonuses for moves of known positions: the port to what DEEP BLUE called its extended book. The
// search adds a move's bonus to its value near the root, so that practice decides between moves
// that it finds nearly equal, and gives way where it finds a better one.
template <Game G>
class Favours {
 public:
  virtual ~Favours() = default;

  // Fills in what is known of the moves of `position` and says how many, at most favours.size().
  // The same position has the same answer as long as a search runs.
  virtual size_t At(const typename G::Position& position, std::span<Favour> favours) const = 0;
};

}  // namespace joseki
