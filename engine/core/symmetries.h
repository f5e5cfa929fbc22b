#pragma once

#include "engine/core/types.h"

namespace joseki {

// Symmetries that the rules of some games have beside Rules: maps of positions that leave the rules
// as they are, such as the board turned with the colours exchanged, or left and right exchanged.
// The legal moves of an image are the images of the moves, with the same results. Each map is its
// own inverse, and two in turn are one of them or the identity.
class Symmetries {
 public:
  virtual ~Symmetries() = default;

  // The maps beside the identity; they are called 1 .. count().
  virtual int count() const = 0;
  virtual bool ExchangesColours(int map) const = 0;
  // REQUIRES: a position of the game.
  virtual PackedPosition Image(int map, const PackedPosition& position) const = 0;
  virtual Move Image(int map, Move move) const = 0;
};

}  // namespace joseki
