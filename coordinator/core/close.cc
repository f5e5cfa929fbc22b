#include "coordinator/core/close.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/core/grant.h"
#include "coordinator/core/serving.h"

namespace joseki::coordinator {
namespace {

// Counts the sessions of the event's notes among the servers of the runs that they serve.
void CountServers(Tables& tables) {
  for (const SessionId id : std::exchange(tables.notes.sessions, {})) {
    const Session* const session = tables.sessions.Find(id);
    const bool counts = session != nullptr && session->counts;
    tables.servers.Set(id, counts ? session->serves : std::vector<RunId>());
  }
}

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

// Advances the runs of the event's notes to their next stage or their end, if they have reached it.
// Adds what has changed to the ledger.
void AdvanceRuns(Tables& tables) {
  for (const auto& [id, changed] : std::exchange(tables.notes.runs, {})) {
    AdvanceRun(tables, tables.runs.at(id), changed);
  }
}

}  // namespace

Effects Close(Tables& tables) {
  do {
    CountServers(tables);
    AdvanceRuns(tables);
    if (std::exchange(tables.notes.serve, false)) ServeWaiters(tables);
  } while (tables.notes.any());
  return std::exchange(tables.effects, {});
}

}  // namespace joseki::coordinator
