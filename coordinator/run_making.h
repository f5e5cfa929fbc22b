#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/graph.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// What a new run, or one that is given more to play, is made of. All of it reads the database over
// connections of its own, and takes its time.

// The book as it is now, frozen; for a run that folds colours, it knows each position turned, too.
absl::StatusOr<book::Graph> FreezeBook(const std::string& db_path, const Rules& rules,
                                       const RunSpec& spec);
// FailedPrecondition "no_choice" where every position has one move: there is nothing to tune.
absl::Status CheckChoice(const book::Graph& graph, book::NodeId start);
// What searches of earlier runs say of a new run's book, beside what it was imported with.
absl::Status FindEvaluations(const std::string& db_path, const Rules& rules, book::NodeId start,
                             LoadedRun& run);
// Finds out what a new run takes over, and credits it.
absl::Status TakeOver(RunStore& rows, const Rules& rules, book::NodeId start, LoadedRun& run);

// FailedPrecondition "book_changed" where the book is no longer what the run froze.
absl::Status CheckBookIs(const std::string& db_path, const Rules& rules, const RunSpec& spec,
                         RunId run, const Sha256& snapshot);
// FailedPrecondition "games_dropped". A run that goes on needs its games: they are read again when
// a worker is blocked.
absl::Status CheckGamesAreHere(const std::string& db_path, RunId run);

}  // namespace joseki::coordinator
