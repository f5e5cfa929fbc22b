#include "coordinator/coordinator.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/payment.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/weight_store.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr std::chrono::milliseconds kTick(20);
constexpr absl::Duration kForgetSessions = absl::Hours(24);
constexpr size_t kExpiredAtOnce = 8;  // that run out, before somebody else gets the mutex
constexpr size_t kSessionsAtOnce = 256;
constexpr absl::Duration kCountServers = absl::Seconds(2);
// How often it is looked whether a checkpoint is due, and what else need not be looked at each
// tick.
constexpr absl::Duration kChores = absl::Seconds(5);
// No tick takes longer; a clock that says so was set.
constexpr absl::Duration kLongestTick = absl::Minutes(5);

// The newest weights of a run with re-entry.
absl::Status RestoreWeights(book::Store& store, RunState& state) {
  if (!state.spec().play.re_entry) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::vector<WeightVersionRow> versions,
                   ReadWeightVersions(store, state.id()));
  const WeightVersionRow newest = versions.empty() ? WeightVersionRow() : versions.back();
  ASSIGN_OR_RETURN(book::Weights weights, ReadWeights(store, state.id(), newest.version));
  if (newest.version == 0 || weights.size() != state.graph().edge_count()) {
    return MakeProblem(
        {.code = "bad_row",
         .file = store.path(),
         .found = absl::StrCat("weights ", newest.version, " of run ", state.id(), " for ",
                               weights.size(), " moves"),
         .expected = absl::StrCat("weights for ", state.graph().edge_count(), " moves")},
        absl::StatusCode::kDataLoss);
  }
  state.RestoreWeights(newest.version, newest.games,
                       std::make_shared<const book::Weights>(std::move(weights)));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Start(Options options, const Rules& rules,
                                                                const Clock& clock) {
  if (const std::string served = options.network_file_system(options.db_path); !served.empty()) {
    if (!options.allow_network_file_system) {
      return MakeProblem(
          {.code = "network_file_system",
           .file = options.db_path,
           .found = absl::StrCat("a file system of kind ", served, ", served by another machine"),
           .expected = "a local disk (copy to shared storage with `joseki backup`), or "
                       "--allow-network-filesystem where no other machine opens the book"},
          absl::StatusCode::kFailedPrecondition);
    }
    spdlog::warn("network_file_system kind={} db={}: no other machine may open the book", served,
                 options.db_path);
  }
  // Opened first: a migration takes the lock for itself.
  const book::OpenMode mode =
      options.only_looks ? book::OpenMode::kReadOnly : book::OpenMode::kCreate;
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(options.db_path, mode, rules.game()));
  ASSIGN_OR_RETURN(book::FileLock lock, book::FileLock::Take(options.db_path, options.page));
  auto coordinator = std::make_unique<Coordinator>(std::move(options), rules, clock,
                                                   std::move(lock), store->epoch());
  RETURN_IF_ERROR(coordinator->Open());
  return coordinator;
}

Coordinator::Coordinator(Options options, const Rules& rules, const Clock& clock,
                         book::FileLock lock, std::string epoch)
    : options_(std::move(options)),
      rules_(rules),
      clock_(clock),
      wall_(options_.wall == nullptr ? clock : *options_.wall),
      epoch_(std::move(epoch)),
      started_(clock.Now()),
      pressure_(options_.pressure),
      rng_(options_.seed),
      latest_(started_),
      last_tick_(started_),
      last_chores_(started_),
      disk_watch_(options_.db_path, options_.disk_marks, options_.disk_space, std::move(lock)),
      weights_(options_.db_path) {}

absl::Status Coordinator::Open() {
  ASSIGN_OR_RETURN(
      std::unique_ptr<book::Store> store,
      book::Store::Open(options_.db_path, options_.only_looks ? book::OpenMode::kReadOnly
                                                              : book::OpenMode::kReadWrite));
  {
    RunStore rows(*store);
    ASSIGN_OR_RETURN(marks_, rows.ReadMarks());
    ASSIGN_OR_RETURN(const std::vector<RunRow> runs, rows.ReadRuns());
    ASSIGN_OR_RETURN(const std::vector<TrustChange> changes, rows.ReadTrustChanges());
    const std::lock_guard lock(mutex_);
    Restore(changes);
    Graphs graphs;
    for (const RunRow& run : runs) RETURN_IF_ERROR(RestoreRun(*store, rows, run.run, graphs));
  }
  Writer::Hooks hooks;
  hooks.before = [this](RunStore& rows) { return PayDebt(rows); };
  hooks.after = [this](bool committed) { DebtPaid(committed); };
  hooks.finished = [this] { GiveReplies(replies_); };
  hooks.on_health = [this](const absl::Status& status) { SetStorageHealth(status); };
  Writer::Options writing;
  writing.batch_games = options_.batch_games;
  writing.gather = options_.gather;
  writing.gather_games = std::min(writing.gather_games, options_.batch_games);
  if (!options_.own_threads || options_.only_looks) {
    // Nothing may depend on how fast this machine is.
    writing.batch_time = absl::Hours(1);
    writing.retry = absl::ZeroDuration();
    writing.own_thread = false;
  } else {
    ASSIGN_OR_RETURN(backfill_, book::WalBackfill::Start(*store));
  }
  writer_ =
      std::make_unique<Writer>(std::move(store), marks_.commit_seq, writing, std::move(hooks));
  if (options_.only_looks) return absl::OkStatus();
  CheckDisk();
  writer_->Nudge();
  if (options_.own_threads) {
    maintenance_ = std::thread([this] { Maintain(); });
    rebuilding_ = std::thread([this] { Rebuild(); });
  }
  return absl::OkStatus();
}

namespace {

// Which slots play a game again is not kept with them.
void MarkCopies(const std::vector<CopyRow>& copies, std::vector<LeaseRow>& leases) {
  std::map<SlotRef, SlotRef> of;
  for (const CopyRow& copy : copies) {
    if (copy.given_out) of[copy.key] = copy.of;
  }
  for (LeaseRow& lease : leases) {
    for (PlannedSlot& plan : lease.grant.slots) {
      const auto at = of.find({lease.grant.lease, plan.slot.slot});
      if (at != of.end()) plan.copy_of = at->second;
    }
  }
}

}  // namespace

absl::Status Coordinator::RestoreRun(book::Store& store, RunStore& rows, RunId id, Graphs& graphs) {
  ASSIGN_OR_RETURN(LoadedRun loaded, LoadRun(store, rules_, id, graphs));
  const LoadedRun::Times& times = loaded.times;
  spdlog::info("run_loaded run={} games={} book_ms={} checkpoint_ms={} games_read={} games_ms={}",
               id, loaded.counters.games, absl::ToInt64Milliseconds(times.book),
               absl::ToInt64Milliseconds(times.checkpoint), times.games_read,
               absl::ToInt64Milliseconds(times.games));
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules_, *loaded.graph, loaded.row.spec));
  const std::vector<GameRow> faults = std::move(loaded.faults);
  const std::string request_id = loaded.row.request_id;
  const RunSpec spec = loaded.row.spec;
  RunState state(std::move(loaded), start, {.attempts_per_line = options_.attempts_per_line});
  RETURN_IF_ERROR(RestoreWeights(store, state));
  ASSIGN_OR_RETURN(const std::vector<PoisonedLine> poisoned, rows.ReadPoisoned(id));
  state.RestorePoisoned(poisoned);

  // 1. Leases with empty slots. Live ones get a new term: their workers could not reach us.
  LeaseId oldest_lost = marks_.lease;
  ASSIGN_OR_RETURN(std::vector<LeaseRow> leases, rows.ReadUnfinishedLeases(id));
  ASSIGN_OR_RETURN(const std::vector<CopyRow> copies, rows.ReadOpenCopies(id));
  MarkCopies(copies, leases);
  for (LeaseRow& lease : leases) {
    const LeaseId lease_id = lease.grant.lease;
    ASSIGN_OR_RETURN(const std::set<uint32_t> filled, rows.ReadFilledSlots(id, lease_id));
    if (filled.size() == lease.grant.slots.size()) {
      ledger_.OweEnd(lease_id, LeaseState::kFinished);
      continue;
    }
    if (lease.state != LeaseState::kLive) oldest_lost = std::min(oldest_lost, lease_id);
    state.RestoreLease(lease.grant, lease.state, filled);
    RETURN_IF_ERROR(leases_.Restore(std::move(lease.grant), lease.state, filled, latest_));
    leases_.MarkHandedOut(lease_id);
  }

  // 2. Lost slots and faults that were not given out again wait for it.
  for (const GameRow& fault : faults) oldest_lost = std::min(oldest_lost, fault.lease);
  ASSIGN_OR_RETURN(const std::vector<SlotRef> replaced, rows.ReadReplaced(id, oldest_lost));
  const std::set<SlotRef> struck(replaced.begin(), replaced.end());
  for (const GameRow& fault : faults) {
    if (struck.count({fault.lease, fault.slot}) != 0) continue;
    ASSIGN_OR_RETURN(const LeaseRow lease, rows.ReadLease(fault.lease));
    for (const PlannedSlot& plan : lease.grant.slots) {
      if (plan.slot.slot == fault.slot) state.RestoreFault(fault, plan);
    }
  }
  state.RestoreReplaced(replaced);

  ASSIGN_OR_RETURN(const uint64_t conflicts, rows.CountConflicts(id));
  Run& run = runs_
                 .emplace(id, Run{std::move(state), request_id, RateMeter(), 0, conflicts,
                                  VerificationOf(spec)})
                 .first->second;
  RETURN_IF_ERROR(RestoreCopies(rows, run, copies));
  shares_.Set(id, run.state.spec().share);
  FollowUp(run);
  return absl::OkStatus();
}

Coordinator::~Coordinator() {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (Waiter& waiter : waiters_.TakeAll()) {
      calls.push_back([done = std::move(waiter.done)] { done(ShuttingDown()); });
    }
  }
  wake_.notify_all();
  rebuild_wake_.notify_all();
  stop_rebuilding_.request_stop();
  if (maintenance_.joinable()) maintenance_.join();
  if (rebuilding_.joinable()) rebuilding_.join();
  RunCalls(calls);
  if (writer_ == nullptr || options_.only_looks) return;
  {
    const std::lock_guard lock(mutex_);
    if (disk_watch_.lock_lost()) ledger_ = {};  // whoever has the book now knows better
    for (auto& [id, run] : runs_) {
      if (disk_watch_.lock_lost()) break;
      ledger_.Owe(run.state.row());
      SweepNow(run);
    }
  }
  writer_->Nudge();
  writer_->Stop();  // its callbacks still push slices of checkpoints
}

absl::Status Coordinator::PayDebt(RunStore& rows) {
  {
    const std::lock_guard lock(mutex_);
    paying_ = ledger_.Take();
  }
  return Pay(paying_, rows);
}

void Coordinator::DebtPaid(bool committed) {
  conflicts_now_.clear();
  Debt debt = std::exchange(paying_, {});
  if (committed) return;
  const std::lock_guard lock(mutex_);
  ledger_.Return(std::move(debt));
}

void Coordinator::SetStorageHealth(const absl::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    storage_problem_ = std::string(status.message());
    if (status.ok()) leases_.RenewAll(Now());
  }
  if (status.ok()) {
    spdlog::info("storage_works");
  } else {
    spdlog::error("storage_fails reason=\"{}\"", std::string(status.message()));
  }
}

void Coordinator::Maintain() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, kTick, [this] { return stopping_ || tick_again_; });
    if (stopping_) break;
    Calls calls;
    Tick(calls);
    lock.unlock();
    RunCalls(calls);
    CheckDisk();
    CopyWeights();
    lock.lock();
    mutex_.LetOthers();
  }
}

void Coordinator::CheckDisk() {
  std::optional<DiskWatch::Finding> finding = disk_watch_.Look(clock_.Now());
  if (!finding) return;
  {
    const std::lock_guard lock(mutex_);
    disk_level_ = finding->level;
    disk_problem_ = std::move(finding->problem);
  }
  if (disk_watch_.lock_lost() && options_.lock_lost) options_.lock_lost();
}

absl::Status Coordinator::RefuseOnFullDisk() const {
  if (disk_level_ != DiskLevel::kFull) return absl::OkStatus();
  return MakeProblem({.code = "disk_low",
                      .found = disk_problem_,
                      .expected = "the same call again when there is room; games are still taken"},
                     absl::StatusCode::kResourceExhausted);
}

void Coordinator::Step() {
  CheckDisk();
  for (bool again = true; again;) {
    Calls calls;
    {
      const std::lock_guard lock(mutex_);
      Tick(calls);
      again = tick_again_;
    }
    RunCalls(calls);
  }
  while (RebuildOne() || MakePriors()) {
  }
  CopyWeights();
  writer_->RunQueued();
}

void Coordinator::Tick(Calls& calls) {
  tick_again_ = false;
  const absl::Time now = Now();
  NoteLoad(now);
  if (now - last_count_ >= kCountServers) CountServers(now);
  ExpireLeases(now);
  AddPlayedTime(now);
  ServeWaiters(calls);
  TimeOutWaiters(now, calls);
  if (now - last_chores_ >= std::min(kChores, options_.checkpoint)) {
    last_chores_ = now;
    QuarantineOutliers();
    for (auto& [id, run] : runs_) {
      if (run.state.running()) ledger_.Owe(run.state.row());
      if (SweepIsDue(run, now)) StartSweep(run, calls);
    }
    writer_->Nudge();
  }
}

void Coordinator::ExpireLeases(absl::Time now) {
  // A coordinator that cannot write cannot take games either: no worker may lose a lease by that.
  if (!storage_problem_.empty()) return;
  if (pressure_.Sheds(Pressure::Level::kNoBeats)) {
    expiry_stopped_ = true;
    return;
  }
  if (std::exchange(expiry_stopped_, false)) leases_.RenewAll(now);
  const std::vector<LeaseTable::Ended> ended = leases_.Expire(now, kExpiredAtOnce);
  if (ended.empty()) return;
  if (ended.size() == kExpiredAtOnce) tick_again_ = true;
  for (const LeaseTable::Ended& lease : ended) {
    spdlog::warn("lease_expired lease={} run={} worker={} slots={}", lease.lease, lease.run,
                 lease.worker, lease.open.size());
  }
  EndLeases(ended, LeaseState::kExpired);
  writer_->Nudge();
}

void Coordinator::AddPlayedTime(absl::Time now) {
  const absl::Duration since = now - last_tick_;
  if (since > kLongestTick) last_tick_ = now - kLongestTick;
  const int64_t ms = absl::ToInt64Milliseconds(std::min(since, kLongestTick));
  last_tick_ += absl::Milliseconds(ms);
  if (!storage_problem_.empty() || ms == 0) return;
  for (auto& [id, run] : runs_) {
    if (!run.state.running()) continue;
    run.state.AddPlayedMs(ms);
    FollowUp(run);
  }
}

void Coordinator::TimeOutWaiters(absl::Time now, Calls& calls) {
  for (Waiter& waiter : waiters_.TakeExpired(now)) {
    calls.push_back([done = std::move(waiter.done)] { done(AcquireOutput()); });
  }
}

void Coordinator::CountServers(absl::Time now) {
  last_count_ = now;
  const absl::Duration silence = Silence();
  std::vector<SessionId> forgotten;
  std::map<SessionId, Session>& sessions = sessions_.all();
  SessionId last = 0;
  for (auto at = sessions.begin(); at != sessions.end(); at = sessions.upper_bound(last)) {
    for (size_t i = 0; i < kSessionsAtOnce && at != sessions.end(); ++i, ++at) {
      Session& session = at->second;
      last = at->first;
      if (now - session.seen > kForgetSessions) forgotten.push_back(last);
      CountAsServer(session, false);
      std::erase_if(session.serves, [this](RunId run) { return !runs_.at(run).state.alive(); });
      CountAsServer(session, now - session.seen <= silence && !MustDrain(session));
    }
    mutex_.LetOthers();
  }
  for (const SessionId id : forgotten) {
    const Session* const session = sessions_.Find(id);
    if (session != nullptr && now - session->seen > kForgetSessions) sessions_.Close(id);
  }
}

bool Coordinator::MakePriors() {
  RunId id = 0;
  std::optional<PriorMaking> making;
  {
    const std::lock_guard lock(mutex_);
    const auto due = std::find_if(runs_.begin(), runs_.end(), [](const auto& entry) {
      return entry.second.state.WantsPriors();
    });
    if (stopping_ || due == runs_.end()) return false;
    id = due->first;
    making = due->second.state.MakePriors();
  }
  making->Reserve();
  const auto in_pieces = [&](RunState::Adoption (RunState::*piece)(PriorMaking&)) {
    RunState& state = runs_.at(id).state;
    auto adoption = (state.*piece)(*making);
    for (; adoption == RunState::Adoption::kMore; adoption = (state.*piece)(*making)) {
      mutex_.LetOthers();
    }
    return adoption == RunState::Adoption::kDone;
  };
  {
    const std::lock_guard lock(mutex_);
    if (!in_pieces(&RunState::CopyForPriors)) return true;
  }
  making->Work();
  const std::lock_guard lock(mutex_);
  if (in_pieces(&RunState::AdoptPriors)) FollowUp(runs_.at(id));
  return true;
}

void Coordinator::CopyWeights() {
  for (;;) {
    RunId id = 0;
    std::shared_ptr<const book::Weights> of;
    {
      const std::lock_guard lock(mutex_);
      for (auto at = runs_.begin(); at != runs_.end() && of == nullptr; ++at) {
        id = at->first;
        of = at->second.state.WantsWeightsCopy();
      }
    }
    if (of == nullptr) break;
    book::Weights copy = *of;
    const std::lock_guard lock(mutex_);
    runs_.at(id).state.GiveWeightsCopy(of, std::move(copy));
  }
  const std::lock_guard lock(mutex_);
  for (auto& [id, run] : runs_) {
    while (run.state.WeighSome()) mutex_.LetOthers();
  }
}

void Coordinator::NoteLoad(absl::Time now) {
  pressure_.Note(now, {.queued_games = writer_->queued_games(),
                       .written_games = writer_->written_games(),
                       .sessions = sessions_.all().size(),
                       .storage_works = storage_problem_.empty()});
}

void Coordinator::EndLeases(const std::vector<LeaseTable::Ended>& ended, LeaseState state) {
  for (const LeaseTable::Ended& lease : ended) {
    ledger_.OweEnd(lease.lease, state);
    Run& run = runs_.at(lease.run);
    run.state.Lose({lease.lease, lease.worker}, lease.open, state);
    LoseCopies(run, lease.open);
    FollowUp(run);
  }
}

void Coordinator::FollowUp(Run& run, bool changed) {
  const RunId id = run.state.id();
  const bool may_end = run.state.open_slots() > 0 || !MustWait(run);
  if (run.state.Advance(may_end, /*alone=*/run.servers <= 1)) {
    changed = true;
    const RunRow& row = run.state.row();
    spdlog::info("run_advanced run={} stage={} state={}", id, row.stage, row.state);
  }
  for (PoisonedLine& line : run.state.TakePoisoned()) {
    std::string text;
    for (const Move move : line.line) text += " " + rules_.Text(move);
    if (run.state.IsPoisoned(line.line)) {
      spdlog::warn("line_poisoned run={} attempts={} reason=\"{}\" line=\"{}\"", id, line.attempts,
                   line.reason, text);
    } else {
      spdlog::info("line_freed run={} line=\"{}\"", id, text);
    }
    ledger_.Owe(id, std::move(line));
  }
  for (PriorSet& priors : run.state.TakeNewPriors()) {
    spdlog::info("priors_made run={} version={} positions={} scale={} games={}", id, priors.version,
                 priors.positions, priors.model.scale, 1e-3 * priors.model.milli_games);
    ledger_.Owe(std::move(priors));
  }
  for (NewWeights& weights : run.state.TakeNewWeights()) {
    weights_.Put(id, weights.version, weights.after);
    ledger_.Owe(std::move(weights));
  }
  if (run.state.WantsPriors()) rebuild_wake_.notify_one();
  if (changed) ledger_.Owe(run.state.row());
}

absl::Time Coordinator::Now() {
  latest_ = std::max(latest_, clock_.Now());
  return latest_;
}

Coordinator::Run* Coordinator::FindRun(RunId run) {
  const auto at = runs_.find(run);
  return at == runs_.end() ? nullptr : &at->second;
}

const Coordinator::Run* Coordinator::FindRun(RunId run) const {
  const auto at = runs_.find(run);
  return at == runs_.end() ? nullptr : &at->second;
}

void Coordinator::RunCalls(Calls& calls) {
  for (const std::function<void()>& call : calls) call();
  calls.clear();
}

absl::Status Coordinator::ShuttingDown() {
  return MakeProblem({.code = "shutting_down", .found = "a coordinator that is shutting down"},
                     absl::StatusCode::kUnavailable);
}

}  // namespace joseki::coordinator
