#include "coordinator/core/orders.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/core/ended_leases.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/serving.h"
#include "coordinator/core/verify.h"
#include "coordinator/model/run_spec.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kEndedAtOnce = 8;  // leases, before others get the mutex

absl::StatusOr<ActiveRun*> RunToChange(Tables& tables, RunId id) {
  if (tables.holds.stopping) return ShuttingDown();
  ActiveRun* const run = tables.FindRun(id);
  if (run == nullptr) return UnknownRun(id);
  return run;
}

// Notes that the run's row has changed, and that it may have slots to grant.
void Restart(Tables& tables, RunId run) {
  tables.TouchRow(run);
  tables.notes.serve = true;
}

absl::Status CheckMayUndrain(const Tables& tables, const std::string& worker) {
  if (worker.empty()) return absl::OkStatus();
  if (tables.holds.drain_all) {
    return MakeProblem({.code = "all_drain",
                        .found = "a drain of all workers, which one worker cannot leave",
                        .expected = "`joseki workers undrain --all`"},
                       absl::StatusCode::kFailedPrecondition);
  }
  // A worker that is gone drains on until it is back.
  if (tables.holds.draining.count(worker) != 0 || tables.sessions.FindWorker(worker) != nullptr) {
    return absl::OkStatus();
  }
  return MakeProblem({.code = "unknown_worker",
                      .found = absl::StrCat("worker ", Quote(worker)),
                      .expected = "the name of a worker that drains or is here (`joseki workers`)"},
                     absl::StatusCode::kNotFound);
}

}  // namespace

absl::Status Admit(const Tables& tables) {
  return tables.holds.stopping ? ShuttingDown() : RefuseOnFullDisk(tables);
}

void NumberRun(Tables& tables, LoadedRun& run) {
  run.row.run = tables.marks.run++;
  run.row.stage_seq = 0;  // every game in the database so far is another run's
  run.row.trust_change = tables.standing.trust.change();
  run.trust = tables.standing.trust;
}

void EnterRun(Tables& tables, RunState&& state, const std::vector<NewWeights>& weights) {
  const RunRow row = state.row();
  // Trust may have changed while the run was made.
  if (state.evidence().trust().change() != tables.standing.trust.change()) {
    tables.effects.rebuild = true;
  }
  for (const NewWeights& version : weights) {
    tables.effects.weights.push_back({version.run, version.version, version.after});
  }
  tables.runs.emplace(
      row.run,
      ActiveRun{.state = std::move(state), .rate = {}, .verification = VerificationOf(row.spec)});
  tables.serving.shares.Set(row.run, row.spec.share);
  FindServers(tables, row.run);
  tables.notes.serve = true;
}

absl::Status SetRunState(Tables& tables, RunId id, const std::string& state) {
  ASSIGN_OR_RETURN(ActiveRun* const run, RunToChange(tables, id));
  const std::string before = run->state.row().state;
  if (!run->state.SetState(state, "")) {
    return MakeProblem({.code = "run_state",
                        .found = absl::StrCat("run ", id, " is ", before),
                        .expected = "a run that is running or paused"},
                       absl::StatusCode::kFailedPrecondition);
  }
  Restart(tables, id);
  return absl::OkStatus();
}

bool EndSomeLeases(Tables& tables, RunId run) {
  const std::vector<LeaseTable::Ended> ended = tables.leases.Revoke(run, kEndedAtOnce);
  EndLeases(tables, ended, LeaseState::kGivenBack);
  return !ended.empty();
}

absl::Status ExtendRun(Tables& tables, RunId id, const MoreToPlay& more) {
  ASSIGN_OR_RETURN(ActiveRun* const run, RunToChange(tables, id));
  RETURN_IF_ERROR(run->state.Extend(more));
  FindServers(tables, id);
  Restart(tables, id);
  return absl::OkStatus();
}

absl::StatusOr<size_t> FreeLines(Tables& tables, RunId id,
                                 const std::optional<std::vector<Move>>& line) {
  ASSIGN_OR_RETURN(ActiveRun* const run, RunToChange(tables, id));
  const size_t freed = run->state.FreeLines(line, tables.marks.lease);
  if (line && freed == 0) {
    return MakeProblem({.code = "line_not_left_out",
                        .found = absl::StrCat("a line of run ", id, " that may be played"),
                        .expected = "one that `joseki run show` calls left out"},
                       absl::StatusCode::kNotFound);
  }
  Restart(tables, id);
  return freed;
}

absl::StatusOr<Share> SetShare(Tables& tables, RunId id, uint32_t priority, uint32_t weight) {
  ASSIGN_OR_RETURN(ActiveRun* const run, RunToChange(tables, id));
  Share share = run->state.row().spec.share;
  share.priority = std::min(priority, kMaxPriority);
  if (weight != 0) share.weight = std::min(weight, kMaxWeight);
  run->state.SetShare(share);
  tables.serving.shares.Set(id, share);
  tables.ledger.Owe(run->state.row());
  return share;
}

int Drain(Tables& tables, const std::string& worker) {
  AcquireOutput reply;
  reply.drain = true;
  int concerned = 0;
  if (worker.empty()) tables.holds.drain_all = true;
  for (const auto& [id, session] : tables.sessions.all()) {
    if (!worker.empty() && session.worker != worker) continue;
    if (!worker.empty()) tables.holds.draining.insert(worker);
    ReplyToHeld(tables, id, reply);
    ++concerned;
  }
  return concerned;
}

absl::StatusOr<Undrained> Undrain(Tables& tables, const std::string& worker) {
  RETURN_IF_ERROR(CheckMayUndrain(tables, worker));
  const auto draining = [&tables] {
    return std::count_if(tables.sessions.all().begin(), tables.sessions.all().end(),
                         [&](const auto& entry) { return MustDrain(tables, entry.second); });
  };
  const auto before = draining();
  Undrained undrained;
  if (worker.empty()) {
    undrained.lifted = tables.holds.drain_all || !tables.holds.draining.empty();
    tables.holds.drain_all = false;
    tables.holds.draining.clear();
  } else {
    undrained.lifted = tables.holds.draining.erase(worker) != 0;
  }
  undrained.workers = static_cast<int>(before - draining());
  return undrained;
}

absl::StatusOr<int> Block(Tables& tables, const std::string& worker, const std::string& reason) {
  if (tables.holds.stopping) return ShuttingDown();
  tables.notes.serve = true;
  return Quarantine(tables, worker, reason, /*automatic=*/false);
}

}  // namespace joseki::coordinator
