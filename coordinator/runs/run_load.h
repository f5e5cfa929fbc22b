#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/hash.h"
#include "book/database/imported_values.h"
#include "book/database/store.h"
#include "book/graph.h"
#include "book/play_book.h"
#include "book/stats/series.h"
#include "book/tuning/policy.h"
#include "book/tuning/tuner.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/run_counters.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

class Evaluations;   // coordinator/runs/evaluations.h
class LineSearches;  // coordinator/runs/line_searches.h

// Adds a game; `excluded`: it is of a worker that is not trusted.
void Count(const book::Policy& policy, const GameRow& game, bool excluded, RunCounters& counters);

// FailedPrecondition "match_run" for a run that is a match: it has no book of its own.
absl::Status CheckTunes(const RunRow& run);

// Where the lines of a run begin; kNoNode of a match. FailedPrecondition "start_not_in_book" if the
// book has no move there.
absl::StatusOr<book::NodeId> StartNode(const Rules& rules, const book::Graph& graph,
                                       const RunSpec& spec);

// Trust as it was at a change. DataLoss if there is no such change.
absl::StatusOr<Trust> ReadTrust(RunStore& rows, uint64_t up_to);

// A run as its rows say it is: checkpoint, and the games after it replayed.
struct LoadedRun {
  RunRow row;
  std::shared_ptr<const book::Graph> graph;
  std::shared_ptr<const book::Policy> policy;
  std::shared_ptr<const book::PlayBook> opponent;  // the opponent's book; null: none
  std::unique_ptr<book::Tuner> tuner;  // arms() exact at commit_seq; selection() of row.stage
  uint64_t commit_seq = 0;             // the last game counted
  RunCounters counters;
  Trust trust;                          // up to row.trust_change: what the evidence is of
  std::vector<book::PlayedGame> match;  // of a match: every game that counts, by commit
  std::vector<GameRow> faults;          // of row.stage, ascending
  std::vector<book::EdgeId> changed;    // what games after the checkpoint credited; also twice
  std::vector<uint64_t> seen;           // moves hashes of different games after the checkpoint
  // Values that its book was imported with; never null.
  std::shared_ptr<const book::ImportedValues> imported =
      std::make_shared<const book::ImportedValues>();
  // Of a run that has priors (HasPriors): which evaluations there are, and the newest priors made
  // of these and of imported values, which the tuner has.
  std::shared_ptr<Evaluations> evaluations;
  PriorSet priors;
  // Null where the run asks for no searches along lines.
  std::shared_ptr<LineSearches> line_searches;
  // How long it took, for the log.
  struct Times {
    absl::Duration book;
    absl::Duration checkpoint;
    absl::Duration games;
    uint64_t games_read = 0;
  } times;
};

// Books that several runs share.
using Graphs = std::map<Sha256, std::shared_ptr<const book::Graph>>;

// The book of a run's opponent; null where it has none, and of a match. NotFound if it was never
// put here.
absl::StatusOr<std::shared_ptr<const book::PlayBook>> OpponentBook(RunStore& rows,
                                                                   const Rules& rules,
                                                                   const RunSpec& spec);

// Reads one consistent state of the database; a coordinator may be writing to it. A graph that is
// in `graphs` is taken from there, another is put there. NotFound "unknown_run"; DataLoss where the
// rows contradict each other.
absl::StatusOr<LoadedRun> LoadRun(book::Store& store, const Rules& rules, RunId run,
                                  Graphs& graphs);
absl::StatusOr<LoadedRun> LoadRun(book::Store& store, const Rules& rules, RunId run);

}  // namespace joseki::coordinator
