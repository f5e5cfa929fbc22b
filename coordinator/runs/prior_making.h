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

// A version of a run's priors in the making. PriorVersions copies the sources (Copy), Work makes
// the priors, PriorVersions installs them (Adopt). Only Work takes long at once, and it needs no
// other object.
struct PriorMaking {
  std::shared_ptr<const book::Graph> graph;
  std::shared_ptr<const book::Policy> policy;
  // Sources, as of the game set.games_seq.
  std::vector<book::Arm> arms;
  book::EdgeId copied = 0;  // number of arms copied so far
  PriorSet set;             // complete but for the models, which Work adds
  uint64_t results = 0;     // number of results that it is made of
  uint32_t targets = 0;     // positions that are searched
  Assessments assessments;
  // Results of Work.
  std::shared_ptr<const book::Priors> priors;
  std::optional<book::Values> values;  // for the arms; nullopt: the policy has no estimator
  std::vector<book::EdgeId> late;      // changed since, and not yet in `values`

  // Allocates the copies. Call it first, outside the mutex.
  void Reserve();
  // Takes time in proportion to the book.
  void Work();
};

}  // namespace joseki::coordinator
