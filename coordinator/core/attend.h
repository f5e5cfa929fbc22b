#pragma once

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/core/tables.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// Workers that join, send heartbeats, and leave.

// Whether the worker may join. FailedPrecondition "engine" if its engine has the name that a run
// requires but differs, and there is no other run that it could serve. FailedPrecondition
// "name_in_use" if another worker of that name is active; Unavailable while that is not certain.
absl::Status CheckJoin(Tables& tables, const JoinInput& input);
// Enters the session that a Join has opened; supersedes the worker's earlier one.
void OpenSession(Tables& tables, const SessionRow& row, const JoinInput& input);
absl::StatusOr<BeatOutput> NoteBeat(Tables& tables, SessionId session,
                                    const std::vector<LeaseProgress>& progress,
                                    const std::optional<WorkerCost>& cost);
// Ends a session; the leases of `unplayed` slots are given back.
absl::Status CloseSession(Tables& tables, SessionId session, const std::vector<SlotRef>& unplayed);

}  // namespace joseki::coordinator
