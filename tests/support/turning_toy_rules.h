#pragma once

#include "engine/core/turning.h"
#include "tests/support/toy_rules.h"

namespace joseki::testing {

// The toy game, which treats both sides alike: a position turned has the same heaps and the other
// side to move. After a2 stands what stands after a1 a1, turned.
class TurningToyRules : public ToyRules, public Turning {
 public:
  PackedPosition Turned(const PackedPosition& packed) const override {
    ToyPosition position = ToyPosition::Of(packed).value();
    position.side = ~position.side;
    return position.packed();
  }
  Move Turned(Move move) const override { return move; }
};

}  // namespace joseki::testing
