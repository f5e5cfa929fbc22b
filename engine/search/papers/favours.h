#pragma once

#include <cstddef>
#include <span>

#include "engine/core/game.h"

namespace joseki {

// Bonus that master practice gives a move, in centipawns; negative: against it.
struct Favour {
  Move move;
  Value bonus = 0;
};

// Bonuses for moves of known positions: the port to what DEEP BLUE called its extended book. The
// search adds a move's bonus to its value near the root. Practice thus decides between nearly equal
// moves, and does not displace a better one.
template <Game G>
class Favours {
 public:
  virtual ~Favours() = default;

  // Fills in the known moves of `position`; returns their number, at most favours.size(). Equal
  // positions have equal answers as long as a search runs.
  virtual size_t At(const typename G::Position& position, std::span<Favour> favours) const = 0;
};

}  // namespace joseki
