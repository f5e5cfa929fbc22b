#include "coordinator/runs/prior_making.h"

#include <utility>

#include "book/tuning/tuner.h"

namespace joseki::coordinator {

void PriorMaking::Reserve() {
  arms.resize(graph->edge_count());
  assessments.of_target.resize(targets);
}

void PriorMaking::Work() {
  set.model = ModelOf(assessments, set.games, arms);
  priors = assessments.PriorsBy(set.model);
  values = book::ValuesOf(*graph, *policy, arms, priors);
}

}  // namespace joseki::coordinator
