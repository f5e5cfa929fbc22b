#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/experiment/lab.h"

// The books of the experiments: how each is tuned and how it is played.
namespace joseki::cli {

inline constexpr int kStages = 5;  // of result-driven tuning

// The limit of a result-driven run whose stages count so many games. Drawn games are replaced, so a
// stage may take more games than it counts; the run ends here if hardly any game is decided.
constexpr uint64_t MostGames(uint64_t counted) { return 4 * counted + 100; }

// The column of Type-6 whose books play more than Type-1: the thesis's, 3, or else the last one of
// the arguments.
int PairedColumn(const ExperimentArguments& arguments);

// Type-6 in stages of `column` times the games.
TunePlan ResultDriven(const Laboratory& lab, int column);
// Type-7: sample average, epsilon 0.1, in two batches.
TunePlan EpsilonGreedy(const Laboratory& lab);
// A policy of ours with the games of Type-6[5-1], starting from the frequencies of Type-2.
TunePlan OtherPolicy(const Laboratory& lab, const std::string& policy);
// The label in tables of the book that OtherPolicy makes.
std::string LabelOf(const Laboratory& lab, const std::string& policy);

// The players. Each makes its book first, unless the laboratory has it; errors are the
// laboratory's.
absl::StatusOr<PlayableBook> TypePlayer(Laboratory& lab, const std::string& type);
// Type-6[stages-column].
absl::StatusOr<PlayableBook> StagePlayer(Laboratory& lab, int stages, int column);
// Type-7[batches-1].
absl::StatusOr<PlayableBook> GreedyPlayer(Laboratory& lab, int batches);
absl::StatusOr<PlayableBook> PolicyPlayer(Laboratory& lab, const std::string& policy);

}  // namespace joseki::cli
