#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "book/graph.h"
#include "book/tuning/policy.h"
#include "book/tuning/values.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/runs/assessments.h"

namespace joseki::coordinator {

// A version of a run's priors on its way: PriorVersions copies what it follows from (Copy), Work
// makes it, PriorVersions takes it over (Adopt). Only Work takes long at once, and it needs nothing
// but what is here.
struct PriorMaking {
  std::shared_ptr<const book::Graph> graph;
  std::shared_ptr<const book::Policy> policy;
  // Its sources, as after the game set.games_seq.
  std::vector<book::Arm> arms;
  book::EdgeId copied = 0;  // so many of them
  PriorSet set;             // but for the models, which Work adds
  uint64_t results = 0;     // that it is made of
  uint32_t targets = 0;     // positions that are searched
  Assessments assessments;
  // Results of Work.
  std::shared_ptr<const book::Priors> priors;
  std::optional<book::Values> values;  // of the arms; nullopt: the policy has no estimator
  std::vector<book::EdgeId> late;      // changed since, and not in them yet

  // Makes room for what is copied: to be called first, without the mutex.
  void Reserve();
  // In proportion to the book.
  void Work();
};

}  // namespace joseki::coordinator
