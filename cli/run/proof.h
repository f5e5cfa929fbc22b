#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "cli/cluster/rpc.h"
#include "cli/run/proof_result.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The test of a tuned book in matches whose seeds no run has used. Opponents are the run's input
// book, that book's most frequent moves, and the engine without a book. Matches are played at the
// run's limit, then at a larger one, as a book may exploit an engine's blindness in little time.
struct ProofArguments {
  double percent = 20;  // further games, as a percentage of the run's; a game at k times the run's
                        // limit counts k; 0: no proof
  std::string sprt = "0,20";
  uint64_t verify_nodes = 0;  // nodes or ms, as the run's limit; 0: ten times the run's
  int concurrency = 0;        // 0: the usable cores
  // The coordinator whose workers play; without an address, this machine plays.
  Connection coordinator = {.address = "", .tls = {}};
};

// The run whose book is tested.
struct TunedRun {
  coordinator::RunId run = 0;
  coordinator::RunSpec spec;
  uint64_t games = 0;  // number of its games
};

void AddProofOptions(CLI::App& command, ProofArguments& arguments);

// Plays the matches, the most telling first, each with its share of the remaining budget
// (PairsFor). Earlier matches are read from their files in `folder` and resumed. `engines`: the
// file with the run's engine, if that is not the embedded one. `look`: as in RunMatch, with the
// current match.
absl::StatusOr<Proof> Prove(const Rules& rules, const std::string& book, const TunedRun& run,
                            const ProofArguments& arguments, const std::string& engines,
                            const std::string& folder, uint64_t fresh_seed,
                            const std::function<bool(const ProofMatch&)>& look);

}  // namespace joseki::cli
