#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/rows.h"

namespace joseki::coordinator {

// Progress of a run.
struct RunProgress {
  uint64_t games = 0;         // counted as evidence
  bool staged = false;        // the rule shares the budget out over stages
  bool nothing_left = false;  // no position is worth a game (StopRules::least_gain)
};

// The run with a larger budget. A finished one runs again, with `more` beyond what it has played.
// For one that is running or paused, `more` is added to its limits. The result equals a run that
// had the larger budget from the start. A rule with stages depends on its budget and is refused. If
// no position is worth a game, that stopping rule is off. FailedPrecondition "run_state",
// "match_run", "has_stages" or "no_limit"; "too_much" if the sum exceeds the largest budget.
absl::StatusOr<RunRow> Extended(RunRow run, const MoreToPlay& more, const RunProgress& progress);

}  // namespace joseki::coordinator
