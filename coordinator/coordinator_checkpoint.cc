// What the games say, written behind them as a checkpoint.

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "coordinator/coordinator.h"

namespace joseki::coordinator {
// A checkpoint on its way into the database, slice by slice. Games go on meanwhile: a row is of the
// game that its slice sees.
struct Coordinator::Sweep {
  RunId run = 0;
  uint64_t trust_change = 0;  // that the evidence was of when it began
  RunState::Changes changes;
  size_t written = 0;  // of changes.edges, which stand in order: neighbours share pages

  std::span<const book::EdgeId> NextSlice(size_t most) const {
    const std::span<const book::EdgeId> edges(changes.edges);
    return edges.subspan(written, std::min(most, edges.size() - written));
  }
};

bool Coordinator::SweepIsDue(const Run& run, absl::Time now) const {
  return !run.state.running() || now - run.swept >= options_.checkpoint ||
         run.state.games_since_changes() >= options_.checkpoint_games;
}

void Coordinator::StartSweep(Run& run, Calls& calls) {
  const RunId id = run.state.id();
  if (!run.state.has_changes() || !storage_problem_.empty() || sweeping_.count(id) != 0) return;
  // What drops the old checkpoint is written first, or it would take the new one along.
  if (ledger_.OwesDroppedCheckpoint(id)) return;
  auto sweep = std::make_shared<Sweep>();
  sweep->run = id;
  sweep->trust_change = run.state.trust_change();
  sweep->changes = run.state.TakeChanges();
  run.swept = Now();
  sweeping_.insert(id);
  calls.push_back([this, sweep = std::move(sweep)] {
    std::sort(sweep->changes.edges.begin(), sweep->changes.edges.end());
    PushSlice(sweep);
  });
}

void Coordinator::SweepNow(Run& run) {
  Calls calls;
  StartSweep(run, calls);
  RunCalls(calls);
}

void Coordinator::PushSlice(std::shared_ptr<Sweep> sweep) {
  Writer::Job job;
  job.urgent = true;
  job.patient = true;  // a slice goes along with games, or waits for them a little
  job.write = [this, sweep](Writer::Batch& batch) { return WriteSlice(*sweep, batch.rows); };
  job.done = [this, sweep](const absl::Status& status) { SliceWritten(sweep, status); };
  writer_->Push(std::move(job));
}

absl::Status Coordinator::WriteSlice(Sweep& sweep, RunStore& rows) {
  const std::span<const book::EdgeId> slice = sweep.NextSlice(options_.checkpoint_rows);
  std::vector<EvidenceRow> evidence;
  evidence.reserve(slice.size());
  {
    // What is committed is credited on this thread, before the next transaction: these arms are
    // those of the games in the database.
    const std::lock_guard lock(mutex_);
    const RunState& state = runs_.at(sweep.run).state;
    if (state.trust_change() != sweep.trust_change) return absl::OkStatus();  // void by now
    for (const book::EdgeId edge : slice) evidence.push_back(state.EvidenceOf(edge));
  }
  RETURN_IF_ERROR(rows.SaveEvidence(sweep.run, evidence, sweep.trust_change));
  if (sweep.written + slice.size() < sweep.changes.edges.size()) return absl::OkStatus();
  return rows.SaveCheckpoint(sweep.run, sweep.changes.checkpoint, sweep.trust_change);
}

void Coordinator::SliceWritten(const std::shared_ptr<Sweep>& sweep, const absl::Status& status) {
  const std::lock_guard lock(mutex_);
  Run& run = runs_.at(sweep->run);
  // Evidence computed anew is written anew, all of it.
  const bool is_void = run.state.trust_change() != sweep->trust_change;
  if (is_void || !status.ok()) {
    if (!is_void) run.state.ReturnChanges(std::move(sweep->changes));
    sweeping_.erase(sweep->run);
    if (stopping_ && status.ok()) SweepNow(run);
    return;
  }
  sweep->written += sweep->NextSlice(options_.checkpoint_rows).size();
  if (sweep->written < sweep->changes.edges.size()) return PushSlice(sweep);
  sweeping_.erase(sweep->run);
  if (stopping_) SweepNow(run);  // the last one before the end has everything
}

}  // namespace joseki::coordinator
