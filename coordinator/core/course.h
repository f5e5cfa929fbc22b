#pragma once

#include <vector>

#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// The course of runs after an event.

// Advances the runs of the event's notes to their next stage or their end, if that is reached, and
// adds what has changed to the ledger.
void AdvanceRuns(Tables& tables);
// Handles leases that have ended with `state`: their slots are to be granted again.
void EndLeases(Tables& tables, const std::vector<LeaseTable::Ended>& ended, LeaseState state);
// Notes that copies among the slots will not arrive.
void LoseCopies(ActiveRun& run, const std::vector<PlannedSlot>& slots);

}  // namespace joseki::coordinator
