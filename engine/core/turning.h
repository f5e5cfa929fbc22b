#pragma once

#include "engine/core/types.h"

namespace joseki {

// What the rules of some games have beside Rules: they treat both sides alike. A position turned is
// the same one with the colours exchanged, and the board turned with them: what one side may do in
// the one, the other may do in the other, and to the same end. Turned twice is what it was.
class Turning {
 public:
  virtual ~Turning() = default;

  // REQUIRES: a position of the game.
  virtual PackedPosition Turned(const PackedPosition& position) const = 0;
  virtual Move Turned(Move move) const = 0;
};

}  // namespace joseki
