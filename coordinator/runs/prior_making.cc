#include "coordinator/runs/prior_making.h"

#include <utility>

#include "book/tuning/tuner.h"

namespace joseki::coordinator {

void PriorMaking::Reserve() {
  arms.resize(graph->edge_count());
  assessments.of_target.resize(targets);
}

void PriorMaking::Work() {
  FitModels(assessments, arms, set);
  priors = assessments.PriorsBy(set);
  values = book::ValuesOf(*graph, *policy, arms, priors);
}

}  // namespace joseki::coordinator
