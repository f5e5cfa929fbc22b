#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/core/submission.h"
#include "coordinator/core/tables.h"
#include "coordinator/scheduling/lease_pace.h"

namespace joseki::coordinator {

// Granting of slots. A grant is planned here, written together with the ledger's debts, and handed
// out once that is committed. Call GrantSome until it returns false, then HandedOut or TakeBack.

// The reply to an Acquire that needs no search for work; nullopt: there is none. Leases that were
// handed out to the session's process in a lost reply are sent again.
std::optional<absl::StatusOr<AcquireOutput>> ReplyAtOnce(Tables& tables, const AcquireInput& input);
// Whether there is such a reply.
bool RepliesAtOnce(const Tables& tables, const AcquireInput& input);
// One Acquire, in pieces: replies to it, grants it leases, which the shell writes and hands out, or
// holds it. Call until it returns false.
bool AcquireSome(Tables& tables, Granting& granting, const AcquireDone& done);
// Replies to the session's held call, if there is one; it gets no leases.
void ReplyToHeld(Tables& tables, SessionId session, const absl::StatusOr<AcquireOutput>& reply);

// Grants slots to the session: as many as can be planned in the time for which others may wait.
// False if there is no (further) work, or no more is wanted.
bool GrantSome(Tables& tables, Granting& granting);
// Calls GrantSome once; the leases are written and handed out by `done`. Returns the number of
// slots; if it is 0, `done` was not consumed.
uint32_t TryGrant(Tables& tables, const AcquireInput& input, const AcquireDone& done);
// Grants work to held calls; Close calls it for an event that asks for it.
void ServeWaiters(Tables& tables);
// The runs that have slots to grant.
std::vector<RunId> AvailableRuns(const Tables& tables);

// Marks leases as handed out. REQUIRES: they are committed.
void HandedOut(Tables& tables, const Grants& leases);
// The reply that hands the leases out.
AcquireOutput WithLeases(const Grants& leases, AcquireOutput output);
// Undoes the grant of leases that could not be written; returns the reply, by the reason for it.
absl::Status TakeBack(Tables& tables, const Grants& leases, absl::Status reason);

// The pace at which the session gets slots of the run.
LeasePace PaceOf(const Tables& tables, const ActiveRun& run, const Session& session);

}  // namespace joseki::coordinator
