#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/core/tables.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// Workers that join, send heartbeats, and leave.

// The row of a new session, if the worker may join. FailedPrecondition "engine" if its engine has
// the name that a run requires but differs, and there is no other run that it could serve.
// FailedPrecondition "name_in_use" if another worker of that name is active; Unavailable while that
// is not certain.
absl::StatusOr<SessionRow> AdmitWorker(Tables& tables, const JoinInput& input);
// Enters the session whose row is committed; supersedes the worker's earlier one. `done` gets it
// before any other reply goes out; the database's epoch is the caller's to add.
void OpenSession(Tables& tables, const SessionRow& row, const JoinInput& input,
                 const std::function<void(JoinOutput)>& done);
absl::StatusOr<BeatOutput> NoteBeat(Tables& tables, SessionId session,
                                    const std::vector<LeaseProgress>& progress,
                                    const std::optional<WorkerCost>& cost);
// Ends a session; the leases of `unplayed` slots are given back.
absl::Status CloseSession(Tables& tables, SessionId session, const std::vector<SlotRef>& unplayed);

}  // namespace joseki::coordinator
