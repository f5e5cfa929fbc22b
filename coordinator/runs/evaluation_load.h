#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "coordinator/runs/evaluations.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// How often a search is tried.
inline constexpr int kEvaluationAttempts = 3;

// Whether a run with this policy has priors: it asks for searches, or its policy has a use for what
// its book was imported with.
bool HasPriors(const RunSpec& spec, const book::Policy& policy,
               const book::ImportedValues& imported);

// What the run of this row asks to be searched, with what the database says of it: evaluations of
// the run, and those of other runs up to `shared`; and what its book was imported with (null:
// nothing). No slot is open yet. REQUIRES: `start` is StartNode's.
absl::StatusOr<Evaluations> LoadEvaluations(book::Store& store, const Rules& rules,
                                            const RunRow& row,
                                            std::shared_ptr<const book::Graph> graph,
                                            book::NodeId start, uint64_t shared,
                                            std::shared_ptr<const book::ImportedValues> imported,
                                            int attempts = kEvaluationAttempts);

// Reads the run's searches along lines into `searches`, those of workers that `distrusted` excludes
// left out. DataLoss, InvalidArgument for rows that cannot be read or that the rules refuse.
// `before` is called with each row before it is taken in; null: nobody looks.
absl::Status ReadLineSearches(book::Store& store, RunId run, const Trust& distrusted,
                              LineSearches& searches,
                              const std::function<void(const EvaluationRow&)>& before = nullptr);

// The longest line of a run, in plies.
int LinePlies(const RunSpec& spec);

}  // namespace joseki::coordinator
