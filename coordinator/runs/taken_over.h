#pragma once

#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/graph.h"
#include "book/tuning/tuner.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Finished runs whose games a new run of `spec` takes over: same engine, limits, rules, start and
// pairing. They have games, none of them dropped after archiving. Their searches along lines are
// taken over where SharesSearches. Nullopt if there is no such run, `spec` takes nothing over
// (RunSpec::take_over), or the policy has stages, which begin from start weights. The caller who
// adds games and searches sets their numbers.
absl::StatusOr<std::optional<TakenOver>> FindTakenOver(RunStore& rows, const RunSpec& spec);

// Visits the games that a run takes over (RunSpec::taken_over) as evidence of its own book. Runs
// come one after another, each in commit order, without faults and games that `trust` excludes.
// Only rows are read, so restart, rebuild and audit give the same evidence.
absl::Status ForEachTakenOver(RunStore& rows, const Rules& rules, const RunSpec& spec,
                              const book::Graph& graph, book::NodeId start, const Trust& trust,
                              const std::function<void(const book::TunedGame&)>& visit);

// Visits the searches along lines that a run takes over, in the same way. Faults are left out: a
// search that failed in another run is tried again. Searches of workers that are not trusted are
// visited, too: LineSearches::SetTrust leaves them out.
absl::Status ForEachSearchTakenOver(book::Store& store, const RunSpec& spec,
                                    const std::function<absl::Status(const EvaluationRow&)>& visit);

}  // namespace joseki::coordinator
