#pragma once

#include <vector>

#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// How runs go on after anything has happened to them.

// The run's next stage or its end, if it has come, and what the database is owed of it. `changed`:
// its row has changed already.
void FollowUp(Tables& tables, ActiveRun& run, bool changed = false);
// The run must not end yet: a game is being verified or could be, or evidence is computed anew.
bool MustWait(const Tables& tables, const ActiveRun& run);
// The leases have ended as `state` says: their slots are to be given out again.
void EndLeases(Tables& tables, const std::vector<LeaseTable::Ended>& ended, LeaseState state);
// Copies among the slots will not come.
void LoseCopies(ActiveRun& run, const std::vector<PlannedSlot>& slots);

}  // namespace joseki::coordinator
