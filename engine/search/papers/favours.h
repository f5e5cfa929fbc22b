#pragma once

#include <cstddef>
#include <span>

#include "engine/core/game.h"

namespace joseki {

// A bonus of practice for a move, in centipawns; below zero: against it.
struct Favour {
  Move move;
  Value bonus = 0;
};

// Bonuses for moves of known positions: the port to what DEEP BLUE called its extended book. The
// search adds a move's bonus to its value near the root. So practice decides between moves that are
// nearly equal, and gives way to a better one.
template <Game G>
class Favours {
 public:
  virtual ~Favours() = default;

  // Fills in the known moves of `position` and says how many, at most favours.size(). Equal
  // positions have equal answers as long as a search runs.
  virtual size_t At(const typename G::Position& position, std::span<Favour> favours) const = 0;
};

}  // namespace joseki
