#pragma once

#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "cli/experiment/lab.h"
#include "cli/experiment/report.h"

// The book experiments of J. Nagashima's thesis, each as a list of a laboratory's steps.
namespace joseki::cli {

// The experiments. Each first makes the results of earlier ones that it needs. An interrupted
// report says so and holds the results up to then.
absl::StatusOr<ExperimentReport> BaseBook(Laboratory& lab);               // E1
absl::StatusOr<ExperimentReport> Types(Laboratory& lab);                  // E2
absl::StatusOr<ExperimentReport> ResultDrivenTuning(Laboratory& lab);     // E3
absl::StatusOr<ExperimentReport> ReinforcementLearning(Laboratory& lab);  // E4
absl::StatusOr<ExperimentReport> AgainstType1(Laboratory& lab);           // E5
absl::StatusOr<ExperimentReport> SecondTournament(Laboratory& lab);       // E6
absl::StatusOr<ExperimentReport> ExternalOpponent(Laboratory& lab);       // E7

struct Experiment {
  std::string_view name;
  std::string_view title;
  absl::StatusOr<ExperimentReport> (*run)(Laboratory& lab);
};

// All of them, in order.
std::span<const Experiment> Experiments();

}  // namespace joseki::cli
