#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/core/submission.h"
#include "coordinator/core/tables.h"
#include "coordinator/scheduling/lease_pace.h"

namespace joseki::coordinator {

// Slots for workers. A grant is planned here, then written with the ledger's debts,
// and handed out once that is committed: GrantSome until it is false, then HandedOut or TakeBack.

// The reply to an Acquire that needs no look for work; nullopt: there is none. Leases that were
// handed out to the session's process in a reply that never came are told again.
std::optional<absl::StatusOr<AcquireOutput>> ReplyAtOnce(Tables& tables, const AcquireInput& input);
// Replies to the call, holds it, or begins to grant: true where `granting` has leases, and more may
// follow.
bool BeginAcquire(Tables& tables, Granting& granting, const AcquireDone& done);
// Replies to the session's held call, if there is one, with what it will get: nothing.
void ReplyToHeld(Tables& tables, SessionId session, const absl::StatusOr<AcquireOutput>& reply);

// Grants some of what there is for the session: as many slots as can be planned in the time that
// others may have to wait. False if there is nothing (more).
bool GrantSome(Tables& tables, Granting& granting);
// GrantSome once; its leases are written and handed out by `done`. How many slots; 0, and `done` is
// not taken, if there is nothing.
uint32_t TryGrant(Tables& tables, const AcquireInput& input, const AcquireDone& done);
// Gives held calls what there is now.
void ServeWaiters(Tables& tables);
// Runs with slots to give.
std::vector<RunId> AvailableRuns(const Tables& tables);

// The leases are written.
void HandedOut(Tables& tables, const std::vector<Granted>& leases);
// The reply that hands them out.
AcquireOutput WithLeases(const std::vector<Granted>& leases, AcquireOutput output);
// They could not be written: everything is as before they were granted.
void TakeBack(Tables& tables, const std::vector<Granted>& leases);

// The pace at which the session is given slots of the run.
LeasePace PaceOf(const Tables& tables, const ActiveRun& run, const Session& session);

// The one end of every event: serves who waits where the event asks for it, and takes its effects.
Effects Close(Tables& tables);

}  // namespace joseki::coordinator
