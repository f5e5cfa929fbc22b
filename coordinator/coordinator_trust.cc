// Which games are played again, who is quarantined, and evidence without their games.

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostRefused = 1000;
constexpr size_t kStatusPage = 64;        // sessions that are told of without a pause for others
constexpr uint64_t kLeastCompared = 100;  // games before a worker can stand out
constexpr std::chrono::seconds kRebuildRetry(1);

Testimony TestimonyOf(const GameRow& game, SessionId session) {
  return {game.worker, session, {game.moves_hash, game.nodes, game.ending}};
}

// The engine that the run wants by its name and not by what it does; null if there is none.
const EngineIdentity* WrongEngine(const std::vector<EngineIdentity>& engines,
                                  const PlaySpec& play) {
  if (play.engine_signature == 0) return nullptr;
  const auto at = std::find_if(engines.begin(), engines.end(), [&](const EngineIdentity& engine) {
    return engine.id == play.engine_id && engine.Plays(play.game);
  });
  return at == engines.end() || at->signature == play.engine_signature ? nullptr : &*at;
}

}  // namespace

// ---- Who may play ----

absl::Status Coordinator::CheckEngines(const JoinInput& input) {
  absl::Status refusal;
  const auto plays = [this](const EngineIdentity& engine) { return engine.Plays(rules_.game()); };
  if (!input.engines.empty() && std::none_of(input.engines.begin(), input.engines.end(), plays)) {
    const EngineIdentity& first = input.engines.front();
    return MakeProblem(
        {.code = "other_game",
         .found = absl::StrCat("engine ", first.id, ", which plays ", first.game),
         .expected = absl::StrCat("an engine that plays ", std::string(rules_.game()))},
        absl::StatusCode::kFailedPrecondition);
  }
  Session session;
  session.engines = input.engines;
  session.labels = input.labels;
  session.memory_mb = input.memory_mb;
  session.cores = input.cores;
  for (const auto& [id, run] : runs_) {
    if (run.state.row().over()) continue;
    // A run that this worker would not be asked to play has nothing to say.
    if (!session.Lacks(run.state.spec().requirements).empty()) continue;
    const PlaySpec& play = run.state.spec().play;
    if (const EngineIdentity* wrong = WrongEngine(input.engines, play)) {
      refusal.Update(MakeProblem(
          {.code = "engine",
           .found = absl::StrCat("engine ", wrong->id, " with signature ", wrong->signature),
           .expected =
               absl::StrCat("signature ", play.engine_signature, ", as run ", id, " has it")},
          absl::StatusCode::kFailedPrecondition));
      continue;
    }
    if (session.Serves(run.state.spec())) return absl::OkStatus();
  }
  if (!refusal.ok()) {
    if (refused_.size() >= kMostRefused) {
      refused_.erase(std::min_element(
          refused_.begin(), refused_.end(),
          [](const auto& a, const auto& b) { return a.second.seen < b.second.seen; }));
    }
    refused_[input.worker] = {input.seats, input.build, std::string(refusal.message()), Now()};
  }
  return refusal;
}

bool Coordinator::MayServe(const Session& session, const Run& run) const {
  return session.Serves(run.state.spec()) && session.cannot.count(run.state.id()) == 0 &&
         trust_.BlockOf(session.worker) == nullptr;
}

std::string Coordinator::WhyNotServed(const Session& session) const {
  std::string why;
  for (const auto& [id, run] : runs_) {
    if (run.state.row().over()) continue;
    if (const auto cannot = session.cannot.find(id); cannot != session.cannot.end()) {
      absl::StrAppend(&why, why.empty() ? "" : "; ", "run ", id, ": ", cannot->second);
      continue;
    }
    const std::string lacks = session.Lacks(run.state.spec().requirements);
    if (!lacks.empty()) {
      absl::StrAppend(&why, why.empty() ? "" : "; ", "cannot serve run ", id, ": lacks ", lacks);
      continue;
    }
    const PlaySpec& play = run.state.spec().play;
    const EngineIdentity* wrong = WrongEngine(session.engines, play);
    if (wrong == nullptr && !session.HasOpponent(run.state.spec())) {
      absl::StrAppend(&why, why.empty() ? "" : "; ", "cannot serve run ", id,
                      ": lacks the opponent's engine ", play.opponent->engine_id);
    }
    if (wrong == nullptr) continue;
    absl::StrAppend(&why, why.empty() ? "" : "; ", "cannot serve run ", id, ": engine ", wrong->id,
                    " with signature ", wrong->signature, ", expected ", play.engine_signature);
  }
  return why;
}

std::string Coordinator::WhyNotServed(const Run& run) const {
  const RunSpec& spec = run.state.spec();
  std::map<std::string, uint32_t> lacking;
  for (const auto& [id, session] : sessions_.all()) {
    if (MayServe(session, run)) {
      if (run.state.HasNothingFor(session.worker)) {
        ++lacking["a line that has not failed with them time after time"];
      }
      continue;
    }
    std::string lacks = session.Lacks(spec.requirements);
    if (trust_.BlockOf(session.worker) != nullptr) {
      lacks = "trust: they are blocked";
    } else if (session.cannot.count(run.state.id()) != 0) {
      lacks = "memory for its tables (`joseki workers` says how much they have)";
    } else if (lacks.empty() && !session.HasOpponent(spec)) {
      lacks = absl::StrCat("the opponent's engine ", spec.play.opponent->engine_id);
    } else if (lacks.empty()) {
      lacks = absl::StrCat("the engine ", spec.play.engine_id);
    }
    ++lacking[lacks];
  }
  std::string why;
  for (const auto& [what, workers] : lacking) {
    absl::StrAppend(&why, why.empty() ? "" : "; ", workers,
                    workers == 1 ? " worker lacks " : " workers lack ", what);
  }
  return why;
}

// ---- Games that are played again ----

bool Coordinator::IsThere(const Session& session) const {
  return !MustDrain(session) && latest_ - session.seen <= Silence();
}

bool Coordinator::IsAlone(const Run& run, const std::string& worker) const {
  return std::none_of(sessions_.all().begin(), sessions_.all().end(), [&](const auto& entry) {
    const Session& session = entry.second;
    return session.worker != worker && IsThere(session) && MayServe(session, run);
  });
}

bool Coordinator::HasCopies(const Run& run, const Session& session) const {
  if (run.verification.waiting() == 0 || !run.state.CanPlay()) return false;
  // Who else is there is asked last: it looks at every session.
  return run.verification.HasWork(session.worker, session.id, /*alone=*/false, session.kinds) ||
         (run.verification.HasWork(session.worker, session.id, /*alone=*/true, session.kinds) &&
          IsAlone(run, session.worker));
}

std::vector<PlannedSlot> Coordinator::PlanSlots(Run& run, const Session& session, LeaseId lease,
                                                uint32_t most) {
  std::vector<Verification::Copy> copies;
  if (HasCopies(run, session)) {
    // A few among many, as long as there are others.
    const uint32_t share =
        run.state.Available(session.kinds) == 0 ? most : std::max<uint32_t>(1, most / 4);
    copies = run.verification.Take(session.worker, session.id, IsAlone(run, session.worker), share,
                                   session.kinds);
  }
  std::vector<PlannedSlot> slots = run.state.Plan(
      lease, most - static_cast<uint32_t>(copies.size()), session.kinds, session.worker);
  if (copies.empty()) return slots;
  Rng rng = Rng(run.state.spec().seed).Split(lease);
  for (Verification::Copy& copy : copies) {
    PlannedSlot plan;
    plan.slot = std::move(copy.slot);
    plan.copy_of = copy.of;
    const auto place = static_cast<std::ptrdiff_t>(rng.Below(slots.size() + 1));
    slots.insert(slots.begin() + place, std::move(plan));
  }
  for (uint32_t number = 0; number < slots.size(); ++number) slots[number].slot.slot = number;
  return slots;
}

bool Coordinator::MustWait(const Run& run) const {
  if (run.state.trust_change() != trust_.change()) return true;
  if (run.verification.taken() > 0) return true;
  if (run.verification.waiting() == 0 || !run.state.CanPlay()) return false;
  return std::any_of(sessions_.all().begin(), sessions_.all().end(), [&](const auto& entry) {
    const Session& session = entry.second;
    return IsThere(session) && MayServe(session, run) && HasCopies(run, session);
  });
}

void Coordinator::LoseCopies(Run& run, const std::vector<PlannedSlot>& slots) {
  for (const PlannedSlot& plan : slots) {
    if (plan.IsCopy()) run.verification.Lost(plan.copy_of);
  }
}

void Coordinator::Observe(Run& run, const SubmittedItem& item,
                          const std::optional<Expectation>& expectation) {
  const GameRow& game = item.row;
  ResidualGame observed;
  observed.termination = game.ending.termination;
  observed.plies = static_cast<uint32_t>(game.moves.size());
  observed.nodes = game.nodes;
  observed.think_ms = game.think_ms;
  if (!IsFault(game.ending.termination)) {
    if (expectation) {
      observed.scored = true;
      observed.score = expectation->score;
      observed.before = expectation->before;
    }
    OfferToOthers(run, item);
  }
  residuals_.Add(game.worker, observed);
}

void Coordinator::OfferToOthers(Run& run, const SubmittedItem& item) {
  const GameRow& game = item.row;
  if (trust_.Excludes(game.worker, game.lease)) return;
  run.verification.Played({game.lease, game.slot}, item.plan->slot,
                          TestimonyOf(game, item.session));
}

void Coordinator::ApplyCopy(Run& run, const SubmittedItem& item) {
  const RunId id = run.state.id();
  const SlotRef& of = item.plan->copy_of;
  if (IsFault(item.row.ending.termination)) return run.verification.Lost(of);
  ++(item.same ? run.copies : run.mismatches);
  const Verification::Finding finding =
      run.verification.Returned(of, TestimonyOf(item.row, item.session));
  if (!item.same) {
    spdlog::warn("game_differs run={} lease={} slot={} worker={} of_lease={} of_slot={}", id,
                 item.row.lease, item.row.slot, item.row.worker, of.lease, of.slot);
  }
  if (!finding.known || (finding.disputed && finding.judgement.decided)) {
    ledger_.OweClosedCopies(id, of);
  }
  for (const std::string& agreed : finding.agreed) ++worker_tallies_[agreed].copies;
  for (const std::string& wrong : finding.judgement.wrong) {
    ++worker_tallies_[wrong].mismatches;
    Quarantine(wrong,
               absl::StrCat("its game for slot ", of.slot, " of lease ", of.lease, " of run ", id,
                            " is not the one that others play"),
               /*automatic=*/true);
  }
}

absl::Status Coordinator::RestoreCopies(RunStore& rows, Run& run,
                                        const std::vector<CopyRow>& copies) {
  const RunId id = run.state.id();
  ASSIGN_OR_RETURN(const RunStore::CopyCounts counts, rows.CountCopies(id));
  run.copies = counts.same;
  run.mismatches = counts.others;
  const auto slot_of = [&](const SlotRef& game) -> absl::StatusOr<Slot> {
    ASSIGN_OR_RETURN(const LeaseRow lease, rows.ReadLease(game.lease));
    for (const PlannedSlot& plan : lease.grant.slots) {
      if (plan.slot.slot == game.slot) return plan.slot;
    }
    return MakeProblem({.code = "bad_row",
                        .file = options_.db_path,
                        .found = absl::StrCat("no slot ", game.slot, " in lease ", game.lease),
                        .expected = "the slot that is played again"},
                       absl::StatusCode::kDataLoss);
  };
  std::map<SlotRef, std::vector<Testimony>> disputes;
  for (const CopyRow& copy : copies) {
    if (copy.given_out) continue;
    std::vector<Testimony>& testimonies = disputes[copy.of];
    if (testimonies.empty()) testimonies.push_back(copy.game);
    testimonies.push_back(copy.testimony);
  }
  std::set<std::string> blocked;
  for (const auto& entry : trust_.blocked()) blocked.insert(entry.first);
  for (auto& [game, testimonies] : disputes) {
    const Judgement judgement = Judge(testimonies, blocked);
    if (judgement.decided) {
      // Found out just before the end.
      ledger_.OweClosedCopies(id, game);
      for (const std::string& wrong : judgement.wrong) {
        Quarantine(wrong,
                   absl::StrCat("its game for slot ", game.slot, " of lease ", game.lease,
                                " of run ", id, " is not the one that others play"),
                   /*automatic=*/true);
      }
      continue;
    }
    ASSIGN_OR_RETURN(const Slot slot, slot_of(game));
    run.verification.RestoreDispute(game, slot, std::move(testimonies));
  }
  for (const CopyRow& copy : copies) {
    if (!copy.given_out || !leases_.IsLive(copy.key.lease)) continue;
    ASSIGN_OR_RETURN(const Slot slot, slot_of(copy.of));
    run.verification.RestoreTaken(copy.of, slot, copy.game);
  }
  return absl::OkStatus();
}

// ---- Blocking ----

void Coordinator::Restore(const std::vector<TrustChange>& changes) {
  for (const TrustChange& change : changes) trust_.Apply(change);
}

void Coordinator::Change(TrustChange change) {
  change.change = trust_.change() + 1;
  change.lease = marks_.lease;
  change.at_ms = NowMs();
  trust_.Apply(change);
  ledger_.Owe(std::move(change));
  rebuild_wake_.notify_one();
}

int Coordinator::Quarantine(const std::string& worker, const std::string& reason, bool automatic) {
  if (trust_.BlockOf(worker) != nullptr) return 0;
  spdlog::warn("worker_quarantined worker={} by_check={} reason=\"{}\"", worker, automatic, reason);
  Change(
      {.worker = worker, .action = TrustAction::kBlock, .automatic = automatic, .reason = reason});
  std::set<std::string> blocked;
  for (const auto& entry : trust_.blocked()) blocked.insert(entry.first);
  for (auto& [id, run] : runs_) {
    for (const SlotRef& game : run.verification.Block(worker, blocked)) {
      ledger_.OweClosedCopies(id, game);
    }
  }
  if (Session* const session = sessions_.FindWorker(worker)) {
    CountAsServer(*session, false);
    session->serves.clear();
    waiters_.RemoveRuns(session->id);
  }
  const std::vector<LeaseTable::Ended> ended = leases_.RevokeWorker(worker);
  EndLeases(ended, LeaseState::kGivenBack);
  return static_cast<int>(ended.size());
}

absl::StatusOr<int> Coordinator::BlockWorker(const std::string& worker, const std::string& reason,
                                             bool unseen) {
  if (!unseen) RETURN_IF_ERROR(CheckSeen(worker));
  Calls calls;
  int leases = 0;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ShuttingDown();
    leases = Quarantine(worker, reason, /*automatic=*/false);
    ServeWaiters(calls);
  }
  RunCalls(calls);
  RETURN_IF_ERROR(Flush());
  return leases;
}

absl::Status Coordinator::CheckSeen(const std::string& worker) const {
  {
    const std::lock_guard lock(mutex_);
    if (sessions_.FindWorker(worker) != nullptr || refused_.count(worker) != 0 ||
        trust_.BlockOf(worker) != nullptr) {
      return absl::OkStatus();
    }
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(options_.db_path, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const bool seen, RunStore(*store).HasSession(worker));
  if (seen) return absl::OkStatus();
  return MakeProblem({.code = "unknown_worker",
                      .found = absl::StrCat("worker ", Quote(worker)),
                      .expected = "the name of a worker that was ever here (`joseki workers` lists "
                                  "those that are), or --unseen for one that is still to come"},
                     absl::StatusCode::kNotFound);
}

absl::Status Coordinator::UnblockWorker(const std::string& worker, bool keep_games_out) {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ShuttingDown();
    if (trust_.BlockOf(worker) == nullptr && (keep_games_out || !trust_.Excludes(worker, 1))) {
      return MakeProblem({.code = "not_blocked",
                          .found = absl::StrCat("worker ", worker),
                          .expected = "a worker that is blocked, or whose games are out"},
                         absl::StatusCode::kFailedPrecondition);
    }
    Change({.worker = worker,
            .action = keep_games_out ? TrustAction::kUnblockKeepOut : TrustAction::kUnblock});
    if (Session* const session = sessions_.FindWorker(worker)) {
      CountAsServer(*session, false);
      FindServed(*session);
      CountAsServer(*session, true);
      for (const RunId run : session->serves) waiters_.AddRun(session->id, run);
    }
    fault_rates_.Forget(worker);
    spdlog::info("worker_unblocked worker={} keep_games_out={}", worker, keep_games_out);
    ServeWaiters(calls);
  }
  RunCalls(calls);
  return Flush();
}

void Coordinator::QuarantineOutliers() {
  if (options_.quarantine_outliers <= 0) return;
  const Residuals::Yardstick yardstick = residuals_.Measure();
  for (const auto& [worker, sums] : residuals_.all()) {
    if (residuals_.Compared(worker) < kLeastCompared) continue;
    const WorkerResiduals residuals = residuals_.Of(worker, yardstick);
    if (residuals.p >= options_.quarantine_outliers) continue;
    Quarantine(worker,
               absl::StrFormat("its results stand out: score %.3f where %.3f was expected, z %.1f",
                               residuals.score, residuals.expected, residuals.z),
               /*automatic=*/true);
  }
}

// ---- Evidence without their games ----

void Coordinator::Rebuild() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    const bool rebuilt = RebuildOne() || MakePriors();
    lock.lock();
    if (rebuilt || stopping_) continue;
    const auto stale = [this] {
      return stopping_ || std::any_of(runs_.begin(), runs_.end(), [this](const auto& entry) {
               const RunState& state = entry.second.state;
               return state.trust_change() != trust_.change() || state.WantsPriors();
             });
    };
    // What could not be read may be later.
    if (stale()) {
      rebuild_wake_.wait_for(lock, kRebuildRetry);
    } else {
      rebuild_wake_.wait(lock, stale);
    }
  }
}

bool Coordinator::RebuildOne() {
  RunId id = 0;
  RebuildPoint point;
  {
    const std::lock_guard lock(mutex_);
    const auto stale = std::find_if(runs_.begin(), runs_.end(), [this](const auto& entry) {
      return entry.second.state.trust_change() != trust_.change();
    });
    if (stopping_ || stale == runs_.end()) return false;
    id = stale->first;
    point = stale->second.state.BeginRebuild(trust_);
  }
  const absl::Time began = clock_.Now();
  const auto read = [&]() -> absl::StatusOr<RebuiltRun> {
    ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                     book::Store::Open(options_.db_path, book::OpenMode::kReadOnly));
    return RebuildRun(*store, rules_, std::move(point), stop_rebuilding_.get_token());
  };
  absl::StatusOr<RebuiltRun> rebuilt = read();
  if (absl::IsCancelled(rebuilt.status())) return false;
  if (!rebuilt.ok()) {
    spdlog::error("rebuild_fails run={} reason=\"{}\"", id,
                  std::string(rebuilt.status().message()));
    return false;
  }
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    Run& run = runs_.at(id);
    const bool was_over = run.state.row().over();
    auto adoption = run.state.Adopt(*rebuilt);
    for (; adoption == RunState::Adoption::kMore; adoption = run.state.Adopt(*rebuilt)) {
      mutex_.LetOthers();
    }
    if (adoption == RunState::Adoption::kVoid) return true;  // a new stage has begun: once more
    spdlog::info("run_rebuilt run={} games={} excluded={} ms={}", id, run.state.counters().games,
                 run.state.counters().excluded, absl::ToInt64Milliseconds(clock_.Now() - began));
    ledger_.OweDroppedCheckpoint(id, run.state.trust_change());
    const bool runs_again = was_over && !run.state.row().over();
    if (runs_again) FindServers(id);
    FollowUp(run, /*changed=*/runs_again);
    ServeWaiters(calls);
  }
  writer_->Nudge();
  RunCalls(calls);
  return true;
}

// ---- What is shown ----

void Coordinator::AddTrust(const Run& run, RunStatus& status) const {
  status.verify_off = std::string(WhyUnverified(status.spec));
  status.copies = run.copies;
  status.mismatches = run.mismatches;
  status.quarantined = static_cast<uint32_t>(trust_.blocked().size());
  status.games_excluded = run.state.counters().excluded;
}

void Coordinator::AddTrust(const Residuals::Yardstick& yardstick, WorkerStatus& worker) const {
  if (const TrustChange* block = trust_.BlockOf(worker.worker)) {
    worker.state = "quarantined";
    worker.reason = block->reason;
  }
  worker.residuals = residuals_.Of(worker.worker, yardstick);
  const auto tally = worker_tallies_.find(worker.worker);
  if (tally == worker_tallies_.end()) return;
  worker.copies = tally->second.copies;
  worker.mismatches = tally->second.mismatches;
}

std::optional<SessionId> Coordinator::AddSessions(ClusterStatus& status, SessionId last,
                                                  const Residuals::Yardstick& yardstick,
                                                  absl::Time now) const {
  size_t added = 0;
  for (auto at = sessions_.all().upper_bound(last); at != sessions_.all().end(); ++at) {
    if (added++ == kStatusPage) return last;
    const auto& [id, session] = *at;
    last = id;
    WorkerStatus worker;
    worker.worker = session.worker;
    worker.session = id;
    worker.seats = session.seats;
    worker.in_flight = leases_.OpenSlotsOf(session.worker);
    worker.games = session.games;
    worker.faults = session.faults;
    worker.last_seen = std::max(now - session.seen, absl::ZeroDuration());
    worker.build = session.build;
    worker.labels = session.labels;
    worker.memory_mb = session.memory_mb;
    worker.cost = session.cost;
    worker.cores = session.cores;
    worker.state = MustDrain(session)             ? "draining"
                   : worker.last_seen > Silence() ? "silent"
                                                  : "active";
    worker.reason = WhyNotServed(session);
    for (const auto& [run_id, run] : runs_) {
      const std::string other = run.verification.DisputeOf(session.worker);
      if (other.empty()) continue;
      absl::StrAppend(&worker.reason, worker.reason.empty() ? "" : "; ", "in run ", run_id,
                      " one of its games and that of ", other,
                      " differ: a third worker has to tell who is right");
    }
    AddTrust(yardstick, worker);
    status.workers.push_back(std::move(worker));
  }
  return std::nullopt;
}

void Coordinator::AddOtherWorkers(ClusterStatus& status, const Residuals::Yardstick& yardstick,
                                  absl::Time now) const {
  std::set<std::string> seen;
  const auto is_new = [&](const std::string& name) {
    return sessions_.FindWorker(name) == nullptr && seen.insert(name).second;
  };
  for (const auto& [name, refused] : refused_) {
    seen.insert(name);
    WorkerStatus worker;
    worker.worker = name;
    worker.seats = refused.seats;
    worker.build = refused.build;
    worker.last_seen = std::max(now - refused.seen, absl::ZeroDuration());
    worker.state = "refused";
    worker.reason = refused.reason;
    AddTrust(yardstick, worker);
    status.workers.push_back(std::move(worker));
  }
  for (const auto& [name, block] : trust_.blocked()) {
    if (!is_new(name)) continue;
    WorkerStatus worker;
    worker.worker = name;
    worker.last_seen =
        std::max(wall_.Now() - absl::FromUnixMillis(block.at_ms), absl::ZeroDuration());
    AddTrust(yardstick, worker);
    status.workers.push_back(std::move(worker));
  }
  for (const std::string& name : drained_) {
    if (!is_new(name)) continue;
    WorkerStatus& worker = status.workers.emplace_back();
    worker.worker = name;
    worker.state = "drained";
  }
}

}  // namespace joseki::coordinator
