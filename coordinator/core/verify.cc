#include "coordinator/core/verify.h"

#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/problem.h"
#include "coordinator/core/ended_leases.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/serving.h"

namespace joseki::coordinator {
namespace {

constexpr uint64_t kLeastCompared = 100;  // games before a worker can be an outlier

Testimony TestimonyOf(const GameRow& game, SessionId session) {
  return {game.worker, session, {game.moves_hash, game.nodes, game.ending}};
}

void ChangeTrust(Tables& tables, TrustChange change) {
  change.change = tables.standing.trust.change() + 1;
  change.lease = tables.marks.lease;
  change.at_ms = tables.moment.wall_ms;
  tables.standing.trust.Apply(change);
  tables.ledger.Owe(std::move(change));
  tables.effects.rebuild = true;
}

// A second worker found the same: the search counts for its run, and for runs that took it over.
void Confirm(Tables& tables, const ActiveRun& of, const SubmittedItem& item) {
  if (of.state.searches().along_lines() == nullptr) return;
  const LineSearch again = item.FoundAlongLine();
  for (auto& [id, run] : tables.runs) {
    const std::optional<TakenOver>& taken = run.state.row().spec.taken_over;
    if (&run == &of || (taken && taken->HasSearch(item.row.run, item.of_seq))) {
      run.state.searches().Confirm(*item.plan, again);
    }
  }
}

// Ends the worker's leases, and grants it no more. Returns the number of leases.
int StopServing(Tables& tables, const std::string& worker) {
  if (Session* const session = tables.sessions.FindWorker(worker)) {
    session->serves.clear();
    tables.notes.sessions.insert(session->id);
    tables.serving.waiters.RemoveRuns(session->id);
  }
  const std::vector<LeaseTable::Ended> ended = tables.leases.RevokeWorker(worker);
  EndLeases(tables, ended, LeaseState::kGivenBack);
  return static_cast<int>(ended.size());
}

}  // namespace

void OfferToOthers(Tables& tables, ActiveRun& run, const SubmittedItem& item) {
  const GameRow& game = item.row;
  if (tables.standing.trust.Excludes(game.worker, game.lease)) return;
  run.verification.Played({game.lease, game.slot}, item.plan->slot,
                          TestimonyOf(game, item.session));
}

void ApplyCopy(Tables& tables, ActiveRun& run, const SubmittedItem& item) {
  const RunId id = run.state.row().run;
  const SlotRef& of = item.plan->copy_of;
  if (IsFault(item.row.ending.termination)) return run.verification.Lost(of);
  ++(item.same ? run.copies : run.mismatches);
  if (item.same && IsSearch(item.plan->slot.kind)) Confirm(tables, run, item);
  const Verification::Finding finding =
      run.verification.Returned(of, TestimonyOf(item.row, item.session));
  if (!item.same) {
    tables.effects.Warn("game_differs run={} lease={} slot={} worker={} of_lease={} of_slot={}", id,
                        item.row.lease, item.row.slot, item.row.worker, of.lease, of.slot);
  }
  if (!finding.known || (finding.disputed && finding.judgement.decided)) {
    tables.ledger.OweClosedCopies(id, of);
  }
  for (const std::string& agreed : finding.agreed) ++tables.standing.tallies[agreed].copies;
  for (const std::string& wrong : finding.judgement.wrong) {
    ++tables.standing.tallies[wrong].mismatches;
    QuarantineForGame(tables, wrong, id, of);
  }
}

int Quarantine(Tables& tables, const std::string& worker, const std::string& reason,
               bool automatic) {
  if (tables.standing.trust.BlockOf(worker) != nullptr) return 0;
  tables.effects.Warn("worker_quarantined worker={} by_check={} reason=\"{}\"", worker, automatic,
                      reason);
  ChangeTrust(
      tables,
      {.worker = worker, .action = TrustAction::kBlock, .automatic = automatic, .reason = reason});
  const std::set<std::string> blocked = Blocked(tables);
  for (auto& [id, run] : tables.runs) {
    for (const SlotRef& game : run.verification.Block(worker, blocked)) {
      tables.ledger.OweClosedCopies(id, game);
    }
  }
  return StopServing(tables, worker);
}

void Suspend(Tables& tables, const std::string& worker, const std::string& reason) {
  if (tables.standing.trust.BlockOf(worker) != nullptr) return;
  const Session* const session = tables.sessions.FindWorker(worker);
  const uint64_t process = session == nullptr ? 0 : session->process;
  const Tables::Standing::Faulty faulty{process, reason};
  if (!tables.standing.faulty.emplace(worker, faulty).second) return;
  tables.effects.Warn("worker_faulty worker={} reason={}", worker, Quote(reason, kMaxFaultBytes));
  StopServing(tables, worker);
}

void QuarantineForGame(Tables& tables, const std::string& worker, RunId run, const SlotRef& game) {
  Quarantine(tables, worker,
             absl::StrCat("its game for slot ", game.slot, " of lease ", game.lease, " of run ",
                          run, " is not the one that others play"),
             /*automatic=*/true);
}

void QuarantineOutliers(Tables& tables) {
  if (tables.settings.quarantine_outliers <= 0) return;
  const Residuals::Yardstick yardstick = tables.standing.residuals.Measure();
  for (const auto& [worker, sums] : tables.standing.residuals.all()) {
    if (tables.standing.residuals.Compared(worker) < kLeastCompared) continue;
    const WorkerResiduals residuals = tables.standing.residuals.Of(worker, yardstick);
    if (residuals.p >= tables.settings.quarantine_outliers) continue;
    Quarantine(tables, worker,
               absl::StrFormat("its results stand out: score %.3f where %.3f was expected, z %.1f",
                               residuals.score, residuals.expected, residuals.z),
               /*automatic=*/true);
  }
}

absl::Status Unblock(Tables& tables, const std::string& worker, bool keep_games_out) {
  if (tables.holds.stopping) return ShuttingDown();
  const bool suspended = tables.standing.faulty.erase(worker) > 0;
  const bool blocked = tables.standing.trust.BlockOf(worker) != nullptr;
  const bool games_come_back = !keep_games_out && tables.standing.trust.Excludes(worker, 1);
  if (!suspended && !blocked && !games_come_back) {
    return MakeProblem({.code = "not_blocked",
                        .found = absl::StrCat("worker ", worker),
                        .expected = "a worker that is blocked, or whose games are out"},
                       absl::StatusCode::kFailedPrecondition);
  }
  if (blocked || games_come_back) {
    ChangeTrust(tables,
                {.worker = worker,
                 .action = keep_games_out ? TrustAction::kUnblockKeepOut : TrustAction::kUnblock});
  }
  if (Session* const session = tables.sessions.FindWorker(worker)) {
    FindServed(tables, *session);
    for (const RunId run : session->serves) tables.serving.waiters.AddRun(session->id, run);
  }
  tables.standing.faults.Forget(worker);
  // Its old results would block it again at once.
  tables.standing.residuals.Forget(worker);
  tables.effects.Info("worker_unblocked worker={} keep_games_out={}", worker, keep_games_out);
  tables.notes.serve = true;
  return absl::OkStatus();
}

std::set<std::string> Blocked(const Tables& tables) {
  std::set<std::string> blocked;
  for (const auto& entry : tables.standing.trust.blocked()) blocked.insert(entry.first);
  return blocked;
}

}  // namespace joseki::coordinator
