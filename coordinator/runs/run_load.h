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
#include "book/graph.h"
#include "book/play_book.h"
#include "book/stats/series.h"
#include "book/tuning/policy.h"
#include "book/tuning/tuner.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/model/rows.h"
#include "coordinator/runs/run_calibration.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/run_counters.h"
#include "engine/core/rules.h"

namespace joseki::book {
class Store;  // book/database/store.h
}

namespace joseki::coordinator {

class RunStore;  // coordinator/store/run_store.h

class Evaluations;   // coordinator/runs/evaluations.h
class LineSearches;  // coordinator/runs/line_searches.h

// Counts a game; `excluded`: its worker is not trusted.
void Count(const book::Policy& policy, const GameRow& game, bool excluded, RunCounters& counters);

// FailedPrecondition "match_run" for a run that is a match: it has no book of its own.
absl::Status CheckTunes(const RunRow& run);

// Start of a run's lines; kNoNode of a match. FailedPrecondition "start_not_in_book" if the book
// has no move there.
absl::StatusOr<book::NodeId> StartNode(const Rules& rules, const book::Graph& graph,
                                       const RunSpec& spec);

// Trust as of a change. DataLoss if there is no such change.
absl::StatusOr<Trust> ReadTrust(RunStore& rows, uint64_t up_to);

// A run rebuilt from its rows: checkpoint, and the games after it replayed.
struct LoadedRun {
  RunRow row;
  std::shared_ptr<const book::Graph> graph;
  std::shared_ptr<const book::Policy> policy;
  std::shared_ptr<const book::PlayBook> opponent;  // the opponent's book; null: none
  std::unique_ptr<book::Tuner> tuner;  // arms() exact at commit_seq; selection() of row.stage
  uint64_t commit_seq = 0;             // the last game counted
  RunCounters counters;
  Trust trust;                          // trust of the evidence, up to row.trust_change
  std::vector<book::PlayedGame> match;  // of a match: every counted game, by commit
  std::vector<GameRow> faults;          // of row.stage, ascending
  std::vector<book::EdgeId> changed;    // credited by games after the checkpoint; may repeat
  std::vector<uint64_t> seen;           // moves hashes of different games after the checkpoint
  // Values that its book was imported with; never null.
  std::shared_ptr<const book::ImportedValues> imported =
      std::make_shared<const book::ImportedValues>();
  // For a run that has priors (HasPriors): its evaluations, and the newest priors. The tuner has
  // these priors, made of evaluations and imported values.
  std::shared_ptr<Evaluations> evaluations;
  PriorSet priors;
  // Null if the run asks for no searches along lines.
  std::shared_ptr<LineSearches> line_searches;
  RunCalibration calibration;  // by the games that the database holds
  // Games, and searches along lines, that ended by a fault.
  uint64_t all_faults() const;
  // Durations of the load, for the log.
  struct Times {
    absl::Duration book;
    absl::Duration checkpoint;
    absl::Duration games;
    uint64_t games_read = 0;
  } times;
};

// Books shared by several runs.
using Graphs = std::map<Sha256, std::shared_ptr<const book::Graph>>;

// Book of a run's opponent; null if it has none, and for a match. NotFound if the book is not in
// the database.
absl::StatusOr<std::shared_ptr<const book::PlayBook>> OpponentBook(RunStore& rows,
                                                                   const Rules& rules,
                                                                   const RunSpec& spec);

// What is loaded of a match that is over. Its games may be in archives alone, which may be away.
enum class EndedMatch : uint8_t { kRead, kWithoutGames };

// Loads a run from one consistent state of the database, while a coordinator may write to it. Takes
// a graph from `graphs`, or adds it there. NotFound "unknown_run"; DataLoss if the rows contradict
// each other.
absl::StatusOr<LoadedRun> LoadRun(book::Store& store, const Rules& rules, RunId run, Graphs& graphs,
                                  EndedMatch ended = EndedMatch::kRead);
absl::StatusOr<LoadedRun> LoadRun(book::Store& store, const Rules& rules, RunId run);

}  // namespace joseki::coordinator
