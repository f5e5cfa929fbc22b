#pragma once

#include "engine/core/symmetries.h"
#include "tests/support/toy_rules.h"

namespace joseki::testing {

// The toy game, which treats both sides alike: a position turned has the same heaps and the other
// side to move. After a2 stands what stands after a1 a1, turned.
class SymmetricToyRules : public ToyRules, public Symmetries {
 public:
  int count() const override { return 1; }
  bool ExchangesColours(int /*map*/) const override { return true; }
  PackedPosition Image(int /*map*/, const PackedPosition& packed) const override {
    ToyPosition position = ToyPosition::Of(packed).value();
    position.side = ~position.side;
    return position.packed();
  }
  Move Image(int /*map*/, Move move) const override { return move; }
};

}  // namespace joseki::testing
