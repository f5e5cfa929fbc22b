#include "coordinator/core/sweeps.h"

#include <algorithm>
#include <utility>

namespace joseki::coordinator {
namespace {

void Begin(Tables& tables, ActiveRun& run, Sweeps& sweeps) {
  RunEvidence& evidence = run.state.evidence();
  if (!evidence.unwritten().any() || !tables.holds.storage.empty() || run.sweeping) return;
  // Wait until the old checkpoint's drop has been committed: it would delete the new rows as well.
  if (tables.ledger.OwesDroppedCheckpoint(run.state.row().run)) return;
  auto sweep = std::make_shared<Sweep>();
  sweep->run = run.state.row().run;
  sweep->trust_change = evidence.trust().change();
  sweep->changes = evidence.TakeChanges();
  run.swept = tables.moment.now;
  run.sweeping = true;
  sweeps.push_back(std::move(sweep));
}

}  // namespace

size_t Sweep::EndOfSlice(size_t most) const {
  return written + std::min(most, changes.edges.size() - written);
}

Sweeps BeginDueSweeps(Tables& tables, const SweepLag& lag) {
  Sweeps sweeps;
  for (auto& [id, run] : tables.runs) {
    const bool due = !run.state.row().running() || tables.moment.now - run.swept >= lag.time ||
                     run.state.evidence().unwritten().games() >= lag.games;
    if (due) Begin(tables, run, sweeps);
  }
  return sweeps;
}

Sweeps BeginAllSweeps(Tables& tables) {
  Sweeps sweeps;
  for (auto& [id, run] : tables.runs) Begin(tables, run, sweeps);
  return sweeps;
}

bool ReadSlice(const Tables& tables, const Sweep& sweep, size_t most,
               std::vector<EvidenceRow>& rows) {
  const RunEvidence& evidence = tables.runs.at(sweep.run).state.evidence();
  if (evidence.trust().change() != sweep.trust_change) return false;
  for (size_t i = sweep.written; i < sweep.EndOfSlice(most); ++i) {
    rows.push_back(evidence.RowOf(sweep.changes.edges[i]));
  }
  return true;
}

Sweeps EndSlice(Tables& tables, const std::shared_ptr<Sweep>& sweep, size_t most, bool written) {
  ActiveRun& run = tables.runs.at(sweep->run);
  RunEvidence& evidence = run.state.evidence();
  // Evidence that was recomputed is written again from the beginning.
  const bool is_void = evidence.trust().change() != sweep->trust_change;
  if (!is_void && written) {
    sweep->written = sweep->EndOfSlice(most);
    if (sweep->written < sweep->changes.edges.size()) return {sweep};
  }
  if (!is_void && !written) evidence.unwritten().Return(std::move(sweep->changes));
  run.sweeping = false;
  Sweeps next;
  // The last checkpoint before the end holds everything.
  if (tables.holds.stopping && written) Begin(tables, run, next);
  return next;
}

}  // namespace joseki::coordinator
