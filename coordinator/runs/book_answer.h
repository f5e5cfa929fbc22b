#pragma once

#include <cstddef>

#include "book/database/imported_values.h"
#include "book/graph.h"
#include "book/tuning/policy.h"
#include "book/tuning/some_choices.h"
#include "coordinator/runs/evaluations.h"

namespace joseki::coordinator {

// The move of a run's book at a position, by the policy's rule and the imported book.
struct BookAnswer {
  const book::Graph& graph;
  const book::Policy& policy;
  const book::ImportedValues& imported;
  const Evaluations* evaluations;  // null: none

  // A move whose imported value is more than this below the best of its position needs games in its
  // favour.
  static constexpr int kTolerance = 100;  // centipawns

  // Index of the answer:
  //   1. if neither a game of the run nor a search of its engine has reached the position: the best
  //      imported value, or without one the largest base weight;
  //   2. else the policy's answer among the moves that MayBe.
  // A move that `allowed` leaves out is no answer if there is another. `choices`: those of the
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

  // Answer that the book came with.
  size_t Before(book::NodeId node, const book::Choices& choices) const;

  // Whether no game or search of the run has reached the position.
  bool Untouched(book::NodeId node, const book::Choices& choices) const;
  // Whether move `i` may be the answer: its imported value is within kTolerance of the best one, or
  // its games say so. Then the lower end of their 95 % interval exceeds the worth of the best
  // imported move, by games and value.
  bool MayBe(book::NodeId node, const book::Choices& choices, size_t i) const;
};

}  // namespace joseki::coordinator
