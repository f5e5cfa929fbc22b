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

// A specification with every option at its default.
coordinator::RunSpec UsualSpec();

// The command line of a run.
struct SpecArguments {
  coordinator::RunSpec run = UsualSpec();  // fields that have an option of their own
  double hours = 0;
  bool no_scores = false;
  std::string engines;                      // path of the engines file; empty: the workers know the
                                            // engine
  std::vector<std::string> engine_options;  // K=V
  std::string policy = "default";
  std::string goal;                         // one of book::GoalNames(), instead of a policy
  std::vector<std::string> policy_options;  // K=V
  std::optional<uint64_t> seed;
  std::vector<std::string> required_labels;  // K=V
  bool priors = false;                       // with nodes 0: UsualPriorNodes
  bool no_search = false;                    // overrides SearchesUsually
  // nullopt: kSettleError for a goal without searches along lines, else 0.
  std::optional<double> settle_error;
  std::optional<double> stop_gain;  // nullopt: kStopGain where positions are settled
};

// Defaults of --settle and --stop-gain.
inline constexpr double kSettleError = 0.05;
inline constexpr double kStopGain = 0.001;
// The default of --prior-nodes, given --nodes.
uint64_t UsualPriorNodes(uint64_t nodes);
// The default of --search-nodes, given --nodes.
uint64_t UsualSearchNodes(uint64_t nodes);
// Whether a run by a goal searches along its lines by default, with kUsualSearchShare percent of
// its nodes. The conditions: its engine has a limit of nodes and gives scores, and it makes no
// other searches.
bool SearchesUsually(const coordinator::RunSpec& spec);
inline constexpr uint32_t kUsualSearchShare = 90;

// Whether the command wants searches along lines where the run can have them: it names a goal, and
// no --no-search.
bool WantsSearches(const SpecArguments& arguments);

// Sets the fields that depend on the other arguments and on the opponent: searches along lines, and
// stop rules. SpecOf calls it; call it again after `spec` got an opponent.
void SetUsual(const SpecArguments& arguments, coordinator::RunSpec& spec);

// Adds the options that `joseki run create` and `joseki tune` share. `arguments` outlive the parse.
void AddSpecOptions(CLI::App& command, SpecArguments& arguments);

// Adds the options of `joseki run create` that matter with several runs or unlike workers.
void AddShareOptions(CLI::App& command, SpecArguments& arguments);

// The run that the arguments ask for, in the game of `rules`; the seed is 1 where none is given.
// The engine's signature is that of this build, or of the file's engine, which is started to
// identify it. InvalidArgument with the flag in the problem.
absl::StatusOr<coordinator::RunSpec> SpecOf(const SpecArguments& arguments, const Rules& rules);

// Starts the file's engine `play.engine_id`, fills in its identity, and fails where it does not
// support `play`.
absl::Status IdentifyEngine(const std::string& path, coordinator::PlaySpec& play);

// Seconds of play; 0 for 0, else at least 1.
uint64_t SecondsOf(double hours);

// The differences between two runs: "nodes 2000 instead of 300"; empty if they agree. Ignored are
// names, the share of verified games, and, unless `with_seed`, seeds. An extended run is compared
// by the budget it was last given.
std::vector<std::string> DifferencesOf(const coordinator::RunSpec& wanted,
                                       const coordinator::RunSpec& have, bool with_seed);

}  // namespace joseki::cli
