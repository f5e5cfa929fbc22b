#pragma once

#include "engine/core/types.h"

namespace joseki {

// Symmetries that some games' rules implement beside Rules: maps of positions that preserve the
// rules. Examples are the board turned with colours exchanged, and left and right exchanged. The
// legal moves of an image are the images of the moves, with the same results. Each map is its own
// inverse; the product of two is another map or the identity.
class Symmetries {
 public:
  virtual ~Symmetries() = default;

  // Number of maps besides the identity; they are numbered 1 to count().
  virtual int count() const = 0;
  virtual bool ExchangesColours(int map) const = 0;
  // REQUIRES: `position` is a position of the game.
  virtual PackedPosition Image(int map, const PackedPosition& position) const = 0;
  virtual Move Image(int map, Move move) const = 0;
};

}  // namespace joseki
