#include "coordinator/checkpointer.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/status_macros.h"

namespace joseki::coordinator {

void Checkpointer::WriteDue() {
  Write(gate_.Do([this](Tables& tables) { return BeginDueSweeps(tables, options_.lag); }));
}

void Checkpointer::WriteAll() {
  Write(gate_.Do([](Tables& tables) { return BeginAllSweeps(tables); }));
}

void Checkpointer::Write(Sweeps sweeps) {
  for (std::shared_ptr<Sweep>& sweep : sweeps) {
    std::deque<book::EdgeId>& edges = sweep->changes.edges;
    if (sweep->written == 0) std::sort(edges.begin(), edges.end());
    PushSlice(std::move(sweep));
  }
}

void Checkpointer::PushSlice(std::shared_ptr<Sweep> sweep) {
  WriteJob job;
  job.urgent = true;
  job.patient = true;  // a slice is written with games, or waits for them a little
  job.write = [this, sweep](WriteBatch& batch) { return WriteSlice(*sweep, batch.rows); };
  job.done = [this, sweep](const absl::Status& status) { SliceWritten(sweep, status); };
  writer_.Push(std::move(job));
}

absl::Status Checkpointer::WriteSlice(const Sweep& sweep, RunStore& rows) {
  std::vector<EvidenceRow> evidence;
  // Committed games are credited on this thread, before the next transaction: these arms match the
  // games in the database.
  const bool is_current = gate_.Look(
      [&](const Tables& tables) { return ReadSlice(tables, sweep, options_.rows, evidence); });
  if (!is_current) return absl::OkStatus();
  RETURN_IF_ERROR(rows.evidence().Save(sweep.run, evidence, sweep.trust_change));
  if (!sweep.IsLastSlice(options_.rows)) return absl::OkStatus();
  return rows.evidence().SaveCheckpoint(sweep.run, sweep.changes.checkpoint, sweep.trust_change);
}

void Checkpointer::SliceWritten(const std::shared_ptr<Sweep>& sweep, const absl::Status& status) {
  Sweeps next =
      gate_.Do([&](Tables& tables) { return EndSlice(tables, sweep, options_.rows, status.ok()); });
  Write(std::move(next));
}

}  // namespace joseki::coordinator
