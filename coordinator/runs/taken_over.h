#pragma once

#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/graph.h"
#include "book/tuning/tuner.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Which runs of the database a new run of `spec` takes over: those that are over, of the same
// engine, limits, rules, start and pairing, have games, and these all stand in the book. Nullopt
// where there is none, or nothing is to be taken over (RunSpec::take_over), or the policy could not
// use it: one with stages begins from its start weights. `games` is left for who credits them.
absl::StatusOr<std::optional<TakenOver>> FindTakenOver(RunStore& rows, const RunSpec& spec);

// The games that a run takes over (RunSpec::taken_over), as evidence of its own book: run after
// run, each by commits, less faults and those that `trust` excludes. Everything that is known of
// them follows from their rows, so a restart, a rebuild and an audit come to the same.
absl::Status ForEachTakenOver(RunStore& rows, const Rules& rules, const RunSpec& spec,
                              const book::Graph& graph, book::NodeId start, const Trust& trust,
                              const std::function<void(const book::TunedGame&)>& visit);

}  // namespace joseki::coordinator
