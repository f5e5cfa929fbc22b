#pragma once

#include <vector>

#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Slots whose leases have ended without their games.

// Handles leases that have ended with `state`: their slots are to be granted again.
void EndLeases(Tables& tables, const std::vector<LeaseTable::Ended>& ended, LeaseState state);
// Whether the run makes searches along its lines.
bool SearchesAlongLines(const ActiveRun& run);
// Says why the run no longer makes them, if it did before the event.
void WarnOfSearchesOff(Tables& tables, const ActiveRun& run, bool before);
// Notes that copies among the slots will not arrive.
void LoseCopies(ActiveRun& run, const std::vector<PlannedSlot>& slots);

}  // namespace joseki::coordinator
