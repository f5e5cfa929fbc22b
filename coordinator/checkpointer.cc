#include "coordinator/checkpointer.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/status_macros.h"

namespace joseki::coordinator {

struct Checkpointer::Sweep {
  RunId run = 0;
  uint64_t trust_change = 0;  // the trust of the evidence when the sweep began
  UnwrittenChanges::Taken changes;
  size_t written = 0;  // of changes.edges, which are in order: neighbours share pages

  std::span<const book::EdgeId> NextSlice(size_t most) const {
    const std::span<const book::EdgeId> edges(changes.edges);
    return edges.subspan(written, std::min(most, edges.size() - written));
  }
};

Checkpointer::Sweeps Checkpointer::BeginDue(Tables& tables) const {
  Sweeps sweeps;
  for (auto& [id, run] : tables.runs) {
    const bool due = !run.state.row().running() ||
                     tables.moment.now - run.swept >= options_.every ||
                     run.state.evidence().unwritten().games() >= options_.games;
    if (due) Begin(tables, run, sweeps);
  }
  return sweeps;
}

Checkpointer::Sweeps Checkpointer::BeginAll(Tables& tables) {
  Sweeps sweeps;
  for (auto& [id, run] : tables.runs) Begin(tables, run, sweeps);
  return sweeps;
}

void Checkpointer::Begin(Tables& tables, ActiveRun& run, Sweeps& sweeps) {
  RunEvidence& evidence = run.state.evidence();
  if (!evidence.unwritten().any() || !tables.storage.problem.empty() || run.sweeping) return;
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

void Checkpointer::Push(Sweeps sweeps) {
  for (std::shared_ptr<Sweep>& sweep : sweeps) {
    std::sort(sweep->changes.edges.begin(), sweep->changes.edges.end());
    PushSlice(std::move(sweep));
  }
}

void Checkpointer::PushSlice(std::shared_ptr<Sweep> sweep) {
  Writer::Job job;
  job.urgent = true;
  job.patient = true;  // a slice is written with games, or waits for them a little
  job.write = [this, sweep](Writer::Batch& batch) { return WriteSlice(*sweep, batch.rows); };
  job.done = [this, sweep](const absl::Status& status) { SliceWritten(sweep, status); };
  writer_.Push(std::move(job));
}

absl::Status Checkpointer::WriteSlice(Sweep& sweep, RunStore& rows) {
  const std::span<const book::EdgeId> slice = sweep.NextSlice(options_.rows);
  std::vector<EvidenceRow> evidence;
  evidence.reserve(slice.size());
  // Committed games are credited on this thread, before the next transaction: these arms match the
  // games in the database.
  const bool is_void = gate_.Look([&](const Tables& tables) {
    const RunEvidence& of = tables.runs.at(sweep.run).state.evidence();
    if (of.trust().change() != sweep.trust_change) return true;
    for (const book::EdgeId edge : slice) evidence.push_back(of.RowOf(edge));
    return false;
  });
  if (is_void) return absl::OkStatus();
  RETURN_IF_ERROR(rows.evidence().Save(sweep.run, evidence, sweep.trust_change));
  if (sweep.written + slice.size() < sweep.changes.edges.size()) return absl::OkStatus();
  return rows.evidence().SaveCheckpoint(sweep.run, sweep.changes.checkpoint, sweep.trust_change);
}

void Checkpointer::SliceWritten(const std::shared_ptr<Sweep>& sweep, const absl::Status& status) {
  Sweeps next;
  const bool more = gate_.Do([&](Tables& tables) {
    ActiveRun& run = tables.runs.at(sweep->run);
    // Evidence that was recomputed is written again from the beginning.
    RunEvidence& evidence = run.state.evidence();
    const bool is_void = evidence.trust().change() != sweep->trust_change;
    if (!is_void && status.ok()) {
      sweep->written += sweep->NextSlice(options_.rows).size();
      if (sweep->written < sweep->changes.edges.size()) return true;
    }
    if (!is_void && !status.ok()) evidence.unwritten().Return(std::move(sweep->changes));
    run.sweeping = false;
    // The last checkpoint before the end holds everything.
    if (tables.stopping && status.ok()) Begin(tables, run, next);
    return false;
  });
  if (more) PushSlice(sweep);
  Push(std::move(next));
}

}  // namespace joseki::coordinator
