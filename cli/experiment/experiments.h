#pragma once

#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "cli/experiment/lab.h"
#include "cli/experiment/report.h"

// The book experiments of J. Nagashima's thesis, each as a list of a laboratory's steps.
namespace joseki::cli {

struct Experiment {
  std::string_view name;
  std::string_view title;
  absl::StatusOr<ExperimentReport> (*run)(Laboratory& lab);
};

// E1 base book, E2 types, E3 result-driven tuning, E4 reinforcement learning, E5 all books against
// Type-1, E6 second tournament, E7 external opponent. Each makes what it needs of those before. A
// report says whether it was interrupted, and holds what there is by then.
std::span<const Experiment> Experiments();

}  // namespace joseki::cli
