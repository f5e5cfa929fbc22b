#include "coordinator/core/ended_leases.h"

namespace joseki::coordinator {

void EndLeases(Tables& tables, const std::vector<LeaseTable::Ended>& ended, LeaseState state) {
  for (const LeaseTable::Ended& lease : ended) {
    tables.ledger.OweEnd(lease.lease, state);
    ActiveRun& run = tables.runs.at(lease.run);
    const bool searched = SearchesAlongLines(run);
    run.state.Lose({lease.lease, lease.worker}, lease.open, state);
    WarnOfSearchesOff(tables, run, searched);
    LoseCopies(run, lease.open);
    tables.Touch(lease.run);
  }
}

bool SearchesAlongLines(const ActiveRun& run) {
  const LineSearches* const searches = run.state.searches().along_lines();
  return searches != nullptr && searches->WhyOff().empty();
}

void WarnOfSearchesOff(Tables& tables, const ActiveRun& run, bool before) {
  if (!before || SearchesAlongLines(run)) return;
  tables.effects.Warn("searches_off run={} reason=\"{}\"", run.state.row().run,
                      run.state.searches().along_lines()->WhyOff());
}

void LoseCopies(ActiveRun& run, const std::vector<PlannedSlot>& slots) {
  for (const PlannedSlot& plan : slots) {
    if (plan.IsCopy()) run.verification.Lost(plan.copy_of);
  }
}

}  // namespace joseki::coordinator
