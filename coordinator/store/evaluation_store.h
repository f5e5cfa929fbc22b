#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/imported_values.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/store/run_store.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// The profile whose evaluations are one kind of evidence: an engine by its behaviour, its options,
// and the node limit of a search. Runs with equal requests have equal profiles.
struct EvaluationProfile {
  std::string engine_id;
  std::string engine_name;
  uint64_t signature = 0;
  std::string weights_sha256;
  std::string options;  // JSON
  uint64_t nodes = 0;
};
// The profile of the run's searches with this limit.
EvaluationProfile ProfileOf(const RunSpec& spec, uint64_t nodes);

// The request and the further results of a search along a line (coordinator/runs/line_searches.h).
struct AlongLine {
  std::vector<Move> line;  // as far as it was followed
  SlotKind kind = SlotKind::kEvaluation;
  uint32_t searched_from = 0;
  std::vector<Move> excluded;
  std::optional<Color> own = {};  // the book's side, in a trial
  std::vector<int16_t> scores;    // scores of a trial, whose moves after the line are the game's
};

// An accepted evaluation, or the fault that ended one. `game` has its key, worker, payload hash,
// ending, nodes, times, fault, and the moves found.
struct EvaluationRow {
  uint64_t seq = 0;  // over all runs, from 1
  GameRow game;
  PackedPosition position;       // the position searched
  std::optional<int16_t> score;  // for the side to move there; nullopt: a fault, or no score
  uint32_t depth = 0;
  uint32_t attempt = 1;                 // number of times that the position was granted, including
                                        // this one
  uint64_t limit = 0;                   // node limit of the search
  std::optional<AlongLine> along = {};  // nullopt: a search for priors
  bool other_profile = false;  // set when it is read for a run of equal engine but another profile
};

// The tables `evaluations`, `evaluation_profiles`, `imported_values` and `prior_sets`, over one
// connection, inside its transaction. Thread rule: as the Store that is passed in.

// The number of the profile; a new profile is added.
absl::StatusOr<int64_t> KeepProfile(book::Store& store, const EvaluationProfile& profile);

struct InsertedEvaluation {
  Inserted insert = Inserted::kNew;
  uint64_t seq = 0;  // if new
};
// Adds the evaluation under its key, unless that exists, as RunStore::InsertGame does.
absl::StatusOr<InsertedEvaluation> InsertEvaluation(book::Store& store, const EvaluationRow& row,
                                                    const RunSpec& spec);

// Visits searches for priors in the order of seq. They are those of the run, and those up to
// `shared` of other runs with the engine id of `spec`. Stops at the first error of `visit`.
absl::Status ForEachEvaluation(book::Store& store, RunId run, const RunSpec& spec, uint64_t shared,
                               const std::function<absl::Status(const EvaluationRow&)>& visit);
// Visits the run's searches along lines in the order of seq. Stops at the first error of `visit`.
absl::Status ForEachLineSearch(book::Store& store, RunId run,
                               const std::function<absl::Status(const EvaluationRow&)>& visit);
// The largest seq of all; 0 if there is none.
absl::StatusOr<uint64_t> LastEvaluation(book::Store& store);

// Stores the imported values of a run's book, frozen; writes nothing if there are none.
absl::Status InsertImportedValues(book::Store& store, RunId run,
                                  const book::ImportedValues& values);
// The stored values; empty if nothing was written. `edges`: number of edges of the run's book.
absl::StatusOr<book::ImportedValues> ReadImportedValues(book::Store& store, RunId run,
                                                        size_t edges);

absl::Status InsertPriorSet(book::Store& store, const PriorSet& set);
// Ascending by version.
absl::StatusOr<std::vector<PriorSet>> ReadPriorSets(book::Store& store, RunId run);

}  // namespace joseki::coordinator
