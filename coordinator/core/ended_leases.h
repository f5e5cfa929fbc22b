#pragma once

#include <vector>

#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Slots whose leases have ended without their games.

// Handles leases that have ended with `state`: their slots are to be granted again.
void EndLeases(Tables& tables, const std::vector<LeaseTable::Ended>& ended, LeaseState state);
// Notes that copies among the slots will not arrive.
void LoseCopies(ActiveRun& run, const std::vector<PlannedSlot>& slots);

}  // namespace joseki::coordinator
