#include "coordinator/core/course.h"

#include <algorithm>
#include <string>
#include <utility>

#include "coordinator/core/serving.h"

namespace joseki::coordinator {
namespace {

// Whether the run must not end yet: a game is being verified or could be, or evidence is being
// recomputed.
bool MustWait(const Tables& tables, const ActiveRun& run) {
  if (run.state.evidence().trust().change() != tables.standing.trust.change()) return true;
  if (run.verification.taken() > 0) return true;
  if (run.verification.waiting() == 0 || !run.state.row().CanPlay()) return false;
  return std::any_of(tables.sessions.all().begin(), tables.sessions.all().end(),
                     [&](const auto& entry) {
                       const Session& session = entry.second;
                       return IsThere(tables, session) && MayServe(tables, session, run) &&
                              HasCopies(tables, run, session);
                     });
}

// `changed`: its row has changed already.
void AdvanceRun(Tables& tables, ActiveRun& run, bool changed) {
  const RunId id = run.state.row().run;
  const bool may_end = run.state.open_slots() > 0 || !MustWait(tables, run);
  if (run.state.Advance(may_end, /*alone=*/tables.servers.Of(id) <= 1)) {
    changed = true;
    const RunRow& row = run.state.row();
    tables.effects.Info("run_advanced run={} stage={} state={}", id, row.stage, row.state);
  }
  RunState::NewRows rows = run.state.TakeNewRows();
  for (PoisonedLine& line : rows.lines) {
    std::string text;
    for (const Move move : line.line) text += " " + tables.rules.Text(move);
    if (run.state.lines().lost().IsPoisoned(line.line)) {
      tables.effects.Warn("line_poisoned run={} attempts={} reason=\"{}\" line=\"{}\"", id,
                          line.attempts, line.reason, text);
    } else {
      tables.effects.Info("line_freed run={} line=\"{}\"", id, text);
    }
    tables.ledger.Owe(id, std::move(line));
  }
  for (const PriorSet& priors : rows.priors) {
    tables.effects.Info("priors_made run={} version={} positions={} scale={} games={}", id,
                        priors.version, priors.positions, priors.model.scale,
                        1e-3 * priors.model.milli_games);
    tables.ledger.Owe(priors);
  }
  for (NewWeights& weights : rows.weights) {
    tables.effects.weights.push_back({id, weights.version, weights.after});
    tables.ledger.Owe(std::move(weights));
  }
  if (run.state.PriorsAreDue() && !run.state.priors().at_once()) tables.effects.rebuild = true;
  if (changed) tables.ledger.Owe(run.state.row());
}

}  // namespace

void AdvanceRuns(Tables& tables) {
  for (const auto& [id, changed] : std::exchange(tables.notes.runs, {})) {
    AdvanceRun(tables, tables.runs.at(id), changed);
  }
}

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
