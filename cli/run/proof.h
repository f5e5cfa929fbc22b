#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "book/stats/series.h"
#include "cli/cluster/rpc.h"
#include "cli/context.h"
#include "cli/match/settings.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// How a tuned book is put to the test: against the book that its run began with, and against that
// book's most frequent moves, by games whose seeds were never any run's; first at the run's own
// limit, then at a larger one, for a book may exploit what an engine does not see in little time.
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

// One of the matches.
struct ProofMatch {
  std::string opponent;  // in words
  MatchSettings settings;
  uint64_t cost = 1;         // what a game takes of the budget
  double smallest_gain = 0;  // Elo that so many pairs would show, before any was played
  book::Series series{book::SeriesRules()};
  // Against the run's opponent, by the tuned book or by its input book: the two are compared.
  bool measures = false;
  bool same_answers = false;  // both books answer alike everywhere: there is nothing to show
  std::string file;
};

struct Proof {
  coordinator::RunId run = 0;
  double percent = 0;
  uint64_t budget = 0;  // games at the run's limit
  std::vector<ProofMatch> matches;
  bool interrupted = false;
};

// By how much Elo the tuned book does better against the run's opponent than the book that it was
// made of, with its 95 % interval (by the two matches' own, as G. Zou and A. Donner combine them);
// nullopt where the run had no opponent or one of the two matches says nothing.
std::optional<book::Estimate> GainAgainstOpponent(const Proof& proof);

// Plays the matches, one after the other, each with its share of what is left of the budget; those
// that were played before are read from their files in `folder`, and go on there. `engines`: the
// file with the run's engine, if that is not the embedded one. `look`: as RunMatch has it, with the
// match that is being played.
absl::StatusOr<Proof> Prove(const Rules& rules, const std::string& book, const TunedRun& run,
                            const ProofArguments& arguments, const std::string& engines,
                            const std::string& folder, uint64_t fresh_seed,
                            const std::function<bool(const ProofMatch&)>& look);

// What the proof allows to be said, in one sentence.
std::string ProofVerdict(const Proof& proof);
void PrintProof(const Proof& proof, std::ostream& out);
Json ProofJson(const Proof& proof);

}  // namespace joseki::cli
