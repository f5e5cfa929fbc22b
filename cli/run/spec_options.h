#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/play_options.h"
#include "coordinator/model/messages.h"

namespace joseki::cli {

// What the user says of a run on the command line.
struct SpecArguments {
  std::string name;
  uint64_t games = 0;
  double hours = 0;
  PlayArguments play;
  uint32_t play_on_percent = 10;
  bool no_scores = false;
  std::string engine = "embedded";
  std::string engines;                      // path of the file that has it; empty: the workers know
  std::vector<std::string> engine_options;  // K=V
  std::string policy = "default";
  std::string goal;                         // one of book::GoalNames(): instead of a policy
  std::vector<std::string> policy_options;  // K=V
  double deviation = 0.008;
  std::optional<uint64_t> seed;
  uint32_t max_book_plies = 0;
  std::string start = "startpos";
  bool re_entry = false;
  uint32_t re_entry_games = 1000;
  uint32_t priority = coordinator::Share().priority;
  uint32_t weight = coordinator::Share().weight;
  std::vector<std::string> required_labels;  // K=V
  uint32_t required_memory_mb = 0;
  uint32_t required_cores = 0;
  double verify_percent = 1.5;
  bool priors = false;
  uint64_t prior_nodes = 0;  // 0: ten times those of a move
  uint32_t prior_positions = 0;
  std::optional<double> settle_error;  // without it kSettleError for a goal, 0 for a policy by name
  double settle_margin = book::Settling().margin;
  std::optional<double> stop_gain;  // without it kStopGain where positions are settled
  double stop_change = 0;
  bool take_over = false;
};

// What --settle and --stop-gain are where nothing is said.
inline constexpr double kSettleError = 0.05;
inline constexpr double kStopGain = 0.001;
// What --prior-nodes is where nothing is said, by --nodes.
uint64_t UsualPriorNodes(uint64_t nodes);

inline constexpr char kPriorityHelp[] =
    "0 to 9: games go to the runs of the highest priority that have any to give";
inline constexpr char kWeightHelp[] =
    "1 to 1000: runs of one priority get games in proportion to their weights";

// Adds the options that `joseki run create` and `joseki tune` share. `arguments` outlive the parse.
void AddSpecOptions(CLI::App& command, SpecArguments& arguments);

// Adds what matters where several runs or unlike workers are, for `joseki run create`.
void AddShareOptions(CLI::App& command, SpecArguments& arguments);

// The run that the arguments ask for; the engine's signature is that of this build, or of the
// engine of the file, which is started and asked. Seed 1 where
// none is given. InvalidArgument with the flag in the problem.
absl::StatusOr<coordinator::RunSpec> SpecOf(const SpecArguments& arguments);

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
