#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// How far a run has come.
struct RunProgress {
  uint64_t games = 0;         // that are evidence
  bool staged = false;        // its rule shares the budget out over stages
  bool nothing_left = false;  // no position is left worth a game (StopRules::least_gain)
};

// The run with more to play. One that is done runs again, with a budget of what `more` says beyond
// what it has played; to one that is running or paused, `more` is added to the limits that it has.
// It is then the run that had so large a budget from its beginning: the rule must know nothing of
// budgets, so one with stages is refused. Where nothing is left worth a game, it plays regardless
// of that. FailedPrecondition "run_state", "match_run", "has_stages" or "no_limit"; "too_much"
// beyond what a budget may be.
absl::StatusOr<RunRow> Extended(RunRow run, const MoreToPlay& more, const RunProgress& progress);

}  // namespace joseki::coordinator
