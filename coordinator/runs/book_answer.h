#pragma once

#include <cstddef>

#include "book/database/imported_values.h"
#include "book/graph.h"
#include "book/tuning/policy.h"
#include "book/tuning/some_choices.h"
#include "coordinator/runs/evaluations.h"

namespace joseki::coordinator {

// The move of a run's book at a position, and its grounds: the policy's rule, and what was known
// before.
struct BookAnswer {
  const book::Graph& graph;
  const book::Policy& policy;
  const book::ImportedValues& imported;
  const Evaluations* evaluations;  // null: the run has none

  // A move whose imported value is so much less than the best one of its position needs games that
  // say otherwise.
  static constexpr int kTolerance = 100;  // centipawns

  // The index of the move:
  //   1. where neither a game of the run nor a search of its engine says anything of the position,
  //      the best imported value, or without one the largest base weight;
  //   2. else the policy's answer among the moves that MayBe.
  // Of moves that `allowed` leaves out none is the answer, if there is another. `choices`: of the
  // node, as the policy sees them. REQUIRES: choices.size() > 0.
  template <typename Allowed>
  size_t At(book::NodeId node, const book::Choices& choices, const Allowed& allowed) const {
    book::SomeChoices sound(choices.mover);
    book::SomeChoices some(choices.mover);
    for (size_t i = 0; i < choices.size(); ++i) {
      if (!allowed(i)) continue;
      some.Add(choices, i);
      if (MayBe(node, choices, i)) sound.Add(choices, i);
    }
    if (Untouched(node, choices)) {
      const size_t before = Before(node, choices);
      if (some.empty() || allowed(before)) return before;
    }
    for (const book::SomeChoices* const among : {&sound, &some}) {
      if (!among->empty()) return among->IndexOf(policy.Answer(among->choices()));
    }
    return policy.Answer(choices);
  }
  size_t At(book::NodeId node, const book::Choices& choices) const {
    return At(node, choices, [](size_t) { return true; });
  }

  // The answer that the book came with.
  size_t Before(book::NodeId node, const book::Choices& choices) const;

  // Whether nothing of the run has come to the position.
  bool Untouched(book::NodeId node, const book::Choices& choices) const;
  // Whether move `i` is worth no less than the best imported one by kTolerance, as imported, or the
  // lower end of its games' 95 % interval lies above what that move is worth, games and value.
  bool MayBe(book::NodeId node, const book::Choices& choices, size_t i) const;
};

}  // namespace joseki::coordinator
