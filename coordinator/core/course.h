#pragma once

#include <vector>

#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// How runs go on after anything has happened to them.

// Takes the run to its next stage or its end, if that has come, and owes the database what changed.
// `changed`: its row has changed already.
void FollowUp(Tables& tables, ActiveRun& run, bool changed = false);
// The run must not end yet: a game is being verified or could be, or evidence is computed anew.
bool MustWait(const Tables& tables, const ActiveRun& run);
// The leases have ended as `state` says: their slots are to be given out again.
void EndLeases(Tables& tables, const std::vector<LeaseTable::Ended>& ended, LeaseState state);
// Copies among the slots will not come.
void LoseCopies(ActiveRun& run, const std::vector<PlannedSlot>& slots);

}  // namespace joseki::coordinator
