#include "coordinator/core/ended_leases.h"

namespace joseki::coordinator {

void EndLeases(Tables& tables, const std::vector<LeaseTable::Ended>& ended, LeaseState state) {
  for (const LeaseTable::Ended& lease : ended) {
    tables.ledger.OweEnd(lease.lease, state);
    ActiveRun& run = tables.runs.at(lease.run);
    run.state.Lose({lease.lease, lease.worker}, lease.open, state);
    LoseCopies(run, lease.open);
    tables.Touch(lease.run);
  }
}

void LoseCopies(ActiveRun& run, const std::vector<PlannedSlot>& slots) {
  for (const PlannedSlot& plan : slots) {
    if (plan.IsCopy()) run.verification.Lost(plan.copy_of);
  }
}

}  // namespace joseki::coordinator
