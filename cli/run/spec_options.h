#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// A run as options leave it of which nothing is said.
coordinator::RunSpec UsualSpec();

// What the user says of a run on the command line.
struct SpecArguments {
  coordinator::RunSpec run = UsualSpec();  // fields that have an option of their own
  double hours = 0;
  bool no_scores = false;
  std::string engines;                      // path of the file that has it; empty: the workers know
  std::vector<std::string> engine_options;  // K=V
  std::string policy = "default";
  std::string goal;                         // one of book::GoalNames(): instead of a policy
  std::vector<std::string> policy_options;  // K=V
  std::optional<uint64_t> seed;
  std::vector<std::string> required_labels;  // K=V
  bool priors = false;                       // their nodes may be 0: ten times those of a move
  bool no_search = false;                    // even where SearchesUsually
  // Without it kSettleError for a goal without searches along lines, else 0.
  std::optional<double> settle_error;
  std::optional<double> stop_gain;  // without it kStopGain where positions are settled
};

// What --settle and --stop-gain are where nothing is said.
inline constexpr double kSettleError = 0.05;
inline constexpr double kStopGain = 0.001;
// What --prior-nodes is where nothing is said, by --nodes.
uint64_t UsualPriorNodes(uint64_t nodes);
// What --search-nodes is likewise.
uint64_t UsualSearchNodes(uint64_t nodes);
// Whether a run by a goal searches along its lines where nothing is said, with kUsualSearchShare
// of its nodes: its engine has a limit of nodes and gives scores, and nothing else searches.
bool SearchesUsually(const coordinator::RunSpec& spec);
inline constexpr uint32_t kUsualSearchShare = 90;

// Sets what follows from the arguments and from whom the run plays: the searches along its lines,
// and the stop rules. SpecOf has done so; again where `spec` has got an opponent since.
void SetUsual(const SpecArguments& arguments, coordinator::RunSpec& spec);

// Adds the options that `joseki run create` and `joseki tune` share. `arguments` outlive the parse.
void AddSpecOptions(CLI::App& command, SpecArguments& arguments);

// Adds what matters where several runs or unlike workers are, for `joseki run create`.
void AddShareOptions(CLI::App& command, SpecArguments& arguments);

// The run that the arguments ask for; the engine's signature is that of this build, or of the
// engine of the file, which is started and asked. It is of the game of `rules`. Seed 1 where none
// is given. InvalidArgument with the flag in the problem.
absl::StatusOr<coordinator::RunSpec> SpecOf(const SpecArguments& arguments, const Rules& rules);

// Fills in what the engine `play.engine_id` of the file is, and refuses what it cannot do: it is
// started and asked.
absl::Status IdentifyEngine(const std::string& path, coordinator::PlaySpec& play);

// Seconds of play; at least one, but for 0.
uint64_t SecondsOf(double hours);

// In which ways `wanted` is another run than `have`: "nodes 2000 instead of 300"; empty if they
// agree. Names, the share of verified games and, unless `with_seed`, seeds may differ; of a run
// that was extended the budget is what it was asked for last.
std::vector<std::string> DifferencesOf(const coordinator::RunSpec& wanted,
                                       const coordinator::RunSpec& have, bool with_seed);

}  // namespace joseki::cli
