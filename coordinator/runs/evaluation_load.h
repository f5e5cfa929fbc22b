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

// Attempts at a search.
inline constexpr int kEvaluationAttempts = 3;

// Whether a run with this policy has priors: the run asks for searches, or the policy uses imported
// values.
bool HasPriors(const RunSpec& spec, const book::Policy& policy,
               const book::ImportedValues& imported);

// Evaluations that the run of this row asks for, with all results in the database. Those are the
// run's own, and those of other runs up to `shared`. `imported`: values that its book was imported
// with (null: none). No slot is open yet. REQUIRES: `start` is StartNode's.
absl::StatusOr<Evaluations> LoadEvaluations(book::Store& store, const Rules& rules,
                                            const RunRow& row,
                                            std::shared_ptr<const book::Graph> graph,
                                            book::NodeId start, uint64_t shared,
                                            std::shared_ptr<const book::ImportedValues> imported,
                                            int attempts = kEvaluationAttempts);

// Adds a row of a search along a line. InvalidArgument if the rules refuse it.
absl::Status AddLineSearch(const EvaluationRow& row, LineSearches& searches);

// Reads the searches along lines that a run of `spec` takes over into `searches`, and begins its
// budget; otherwise as ReadLineSearches.
absl::Status ReadSearchesTakenOver(
    book::Store& store, const RunSpec& spec, const Trust& distrusted, LineSearches& searches,
    const std::function<void(const EvaluationRow&)>& before = nullptr);

// Reads the run's searches along lines into `searches`, after those that it takes over, without
// those of workers that `distrusted` excludes. DataLoss or InvalidArgument for rows that are
// unreadable or that the rules refuse. `before`: called with each row before it is added; may be
// null.
absl::Status ReadLineSearches(book::Store& store, const RunRow& run, const Trust& distrusted,
                              LineSearches& searches,
                              const std::function<void(const EvaluationRow&)>& before = nullptr);

// Longest line of a run, in plies.
int LinePlies(const RunSpec& spec);

}  // namespace joseki::coordinator
