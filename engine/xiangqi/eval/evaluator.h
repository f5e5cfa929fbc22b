#pragma once

#include <array>
#include <cstddef>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/xiangqi/eval/phased.h"
#include "engine/xiangqi/position.h"
#include "engine/xiangqi/repetition.h"

namespace joseki::xiangqi {

// The evaluation: the features of features.h by the weights of weights.h, Red's less Black's, from
// the side to move. The same for both colours seen from their own side, and for left and right.
// Integers only.
//
// Material and places are kept for the positions met last: of the next one only what its last move
// changed is reckoned. The search need tell it nothing, and the value does not depend on it.
class Evaluator {
 public:
  Value Evaluate(const Position& position);

  // The rule for repeated positions, for a search.
  RepetitionRule repetition_rule() const { return repetition_rule_; }
  void SetRepetitionRule(RepetitionRule rule) { repetition_rule_ = rule; }

 private:
  // Without the side to move.
  struct Places {
    Phased sum;  // Red's less Black's
    int phase = 0;
  };
  struct Entry {
    Key key;
    Places places;
  };
  static constexpr size_t kEntries = 128;  // slots by the number of plies played

  const Places& PlacesOf(const Position& position);
  static Places Collect(const Position& position);

  std::array<Entry, kEntries> entries_ = {};
  RepetitionRule repetition_rule_ = RepetitionRule::kAsian;
};

}  // namespace joseki::xiangqi
