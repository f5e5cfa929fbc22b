#pragma once

#include <array>
#include <cstddef>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/xiangqi/eval/options.h"
#include "engine/xiangqi/eval/phased.h"
#include "engine/xiangqi/position.h"
#include "engine/xiangqi/repetition.h"

namespace joseki::xiangqi {

// Learned evaluation: the features of features.h weighted by weights.h, Red's minus Black's, for
// the side to move. Symmetric between colours and between left and right. Integers only.
//
// Material and placement are cached for the positions met last; only the changes of the last move
// are computed. The search need not report moves, and the value does not depend on the cache.
class LearnedEvaluator {
 public:
  Value Evaluate(const Position& position);

 private:
  // Independent of the side to move.
  struct Places {
    Phased sum;  // Red's minus Black's
    int phase = 0;
  };
  struct Entry {
    Key key;
    Places places;
  };
  static constexpr size_t kEntries = 128;  // slots, by the number of plies played

  const Places& PlacesOf(const Position& position);
  static Places Collect(const Position& position);

  std::array<Entry, kEntries> entries_ = {};
};

// The evaluation of one search: what was learned, and the terms that options add. For the side to
// move; a pawn is about 100.
class Evaluator {
 public:
  Value Evaluate(const Position& position) {
    const Value value = learned_.Evaluate(position);
    return adds_terms_ ? WithTerms(position, value) : value;
  }

  // Bonus, here 0 or less, of a line that begins with `move` at the root, added to the line's
  // value. REQUIRES: `move` is legal.
  Value FirstMoveBonus(const Position& position, Move move) const;

  void SetOptions(const EvaluationOptions& options);

  // The rule for repeated positions that the search applies.
  RepetitionRule repetition_rule() const { return repetition_rule_; }
  void SetRepetitionRule(RepetitionRule rule) { repetition_rule_ = rule; }

 private:
  Value WithTerms(const Position& position, Value value) const;

  LearnedEvaluator learned_;
  EvaluationOptions options_;
  bool adds_terms_ = false;
  RepetitionRule repetition_rule_ = RepetitionRule::kAsian;
};

}  // namespace joseki::xiangqi
