#pragma once

#include "engine/core/symmetries.h"
#include "tests/support/toy_rules.h"

namespace joseki::testing {

// The toy game with its symmetry: a turned position has the same heaps and the other side to move.
// The position after a2 is the turned image of that after a1 a1.
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
