#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/imported_values.h"
#include "book/graph.h"
#include "coordinator/model/new_weights.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The data of a new or extended run. Every function that takes `db_path` reads the database over a
// connection of its own, in time proportional to the book.

// A run that is being made.
struct NewRun {
  LoadedRun loaded;
  book::NodeId start = book::kNoNode;  // the start of its lines; kNoNode for a match
  std::string snapshot;                // the frozen book, and its links
  std::string links;
};

// Freezes the current book, and makes the run's policy and a tuner without games. A match has an
// empty book. FailedPrecondition "start_not_in_book", or "no_choice" where every position has one
// move and no search adds any, so that there is nothing to tune.
absl::StatusOr<NewRun> BeginNewRun(const std::string& db_path, const Rules& rules,
                                   const RunSpec& spec);
// Adds the database's knowledge for the run: the opponent's book, imported values, games to take
// over, and evaluations of earlier runs. REQUIRES: the run has its number and its trust.
absl::Status ReadKnown(const std::string& db_path, const Rules& rules, NewRun& run);

// The rows of a new run.
struct NewRunRows {
  RunRow row;
  std::string snapshot;
  std::string links;
  std::shared_ptr<const book::ImportedValues> imported;  // never null
  std::vector<PriorSet> priors;
  std::vector<NewWeights> weights;
};
absl::Status InsertNewRun(RunStore& rows, const NewRunRows& run);

// FailedPrecondition "book_changed" if the book differs from the run's snapshot.
absl::Status CheckBookIs(const std::string& db_path, const Rules& rules, const RunSpec& spec,
                         RunId run, const Sha256& snapshot);
// FailedPrecondition "games_dropped". An extended run needs its games: they are read again when a
// worker is blocked.
absl::Status CheckGamesAreHere(const std::string& db_path, RunId run);

}  // namespace joseki::coordinator
