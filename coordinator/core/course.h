#pragma once

#include <vector>

#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// The course of runs after an event.

// Advances the run to its next stage or its end, if that is reached, and adds the change to the
// ledger. `changed`: its row has changed already.
void FollowUp(Tables& tables, ActiveRun& run, bool changed = false);
// Whether the run must not end yet: a game is being verified or could be, or evidence is being
// recomputed.
bool MustWait(const Tables& tables, const ActiveRun& run);
// Handles leases that have ended with `state`: their slots are to be granted again.
void EndLeases(Tables& tables, const std::vector<LeaseTable::Ended>& ended, LeaseState state);
// Notes that copies among the slots will not arrive.
void LoseCopies(ActiveRun& run, const std::vector<PlannedSlot>& slots);

}  // namespace joseki::coordinator
