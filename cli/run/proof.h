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

// How a tuned book is put to the test: against the book that its run began with, against that
// book's most frequent moves and against the same engine without a book, by games whose seeds were
// never any run's; first at the run's own limit, then at a larger one, for a book may exploit what
// an engine does not see in little time.
struct ProofArguments {
  double percent = 20;  // of the run's games, as many games more; a game at k times the run's limit
                        // counts k; 0: no proof
  std::string sprt = "0,20";
  uint64_t verify_nodes = 0;  // or milliseconds, as the run's limit is; 0: ten times the run's
  int concurrency = 0;        // 0: the usable cores
  // Whose workers play; without an address this machine does.
  Connection coordinator = {.address = "", .tls = {}};
};

// The run whose book is tested.
struct TunedRun {
  coordinator::RunId run = 0;
  coordinator::RunSpec spec;
  uint64_t games = 0;  // that it has
};

void AddProofOptions(CLI::App& command, ProofArguments& arguments);

// Plays the matches, the most telling first, each with its share of what is left of the budget
// (PairsFor); those that were played before are read from their files in `folder`, and go on there.
// `engines`: the file with the run's engine, if that is not the embedded one. `look`: as RunMatch
// has it, with the match that is being played.
absl::StatusOr<Proof> Prove(const Rules& rules, const std::string& book, const TunedRun& run,
                            const ProofArguments& arguments, const std::string& engines,
                            const std::string& folder, uint64_t fresh_seed,
                            const std::function<bool(const ProofMatch&)>& look);

}  // namespace joseki::cli
