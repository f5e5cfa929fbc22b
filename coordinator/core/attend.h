#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/core/tables.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// How workers come, say that they live, and leave.

// Whether the worker may join. FailedPrecondition "engine" where its engine has the name that a run
// wants, but is another one, and no other run is left for it to serve. FailedPrecondition
// "name_in_use" where another worker of that name is at work; Unavailable while that is not sure.
absl::Status CheckJoin(Tables& tables, const JoinInput& input);
// The session that a Join has opened; fences the worker's earlier one.
void OpenSession(Tables& tables, const SessionRow& row, const JoinInput& input);
absl::StatusOr<BeatOutput> NoteBeat(Tables& tables, SessionId session,
                                    const std::vector<LeaseProgress>& progress);
// `unplayed`: slots whose leases it gives back.
absl::Status CloseSession(Tables& tables, SessionId session, const std::vector<SlotRef>& unplayed);

}  // namespace joseki::coordinator
