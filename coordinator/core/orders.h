#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/core/tables.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/new_weights.h"
#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {

// Orders of the operator: what each changes in the tables. Unavailable "shutting_down" and NotFound
// "unknown_run" are errors of all that return a status.

// "shutting_down" or "disk_low" while nothing new may begin.
absl::Status Admit(const Tables& tables);

// Gives a run that is being made its number and the current trust.
void NumberRun(Tables& tables, LoadedRun& run);
// Puts a committed run into the tables: slots are granted from now on. `weights`: its first.
void EnterRun(Tables& tables, RunState&& run, const std::vector<NewWeights>& weights);

// Pauses, resumes or stops a run; the leases of a stopped run end in EndSomeLeases.
// FailedPrecondition "run_state" for a run that is over.
absl::Status SetRunState(Tables& tables, RunId run, const std::string& state);
// Ends a few leases of the run; false if none is left.
bool EndSomeLeases(Tables& tables, RunId run);
// Extends its budget by RunState::Extend.
absl::Status ExtendRun(Tables& tables, RunId run, const MoreToPlay& more);
// Grants lines again that were left out, or one of them; with all of them also the positions at
// which searches failed. Returns their number. NotFound "line_not_left_out".
absl::StatusOr<size_t> FreeLines(Tables& tables, RunId run,
                                 const std::optional<std::vector<Move>>& line);
// Sets the share from the next lease on; `weight` 0 keeps the weight.
absl::StatusOr<Share> SetShare(Tables& tables, RunId run, uint32_t priority, uint32_t weight);

// Lets one worker drain, or all if `worker` is empty; returns the number of sessions concerned.
int Drain(Tables& tables, const std::string& worker);
struct Undrained {
  bool lifted = false;  // there was a drain to end
  int workers = 0;      // connected ones that get games again
};
// Ends a drain; `worker` as above. FailedPrecondition "all_drain" for one worker while all drain;
// NotFound "unknown_worker" for a name that neither is here nor drains.
absl::StatusOr<Undrained> Undrain(Tables& tables, const std::string& worker);
// Blocks a worker; returns the number of its leases that ended.
absl::StatusOr<int> Block(Tables& tables, const std::string& worker, const std::string& reason);

}  // namespace joseki::coordinator
