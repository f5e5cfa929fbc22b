// What workers ask for.

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "base/status_macros.h"
#include "coordinator/coordinator_impl.h"
#include "coordinator/intake.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr uint32_t kMaxSlotsPerWorker = 1024;
constexpr size_t kMostAsked = 64;  // held calls, whether they may play a game again

absl::Status Refuse(std::string code, std::string found, std::string expected) {
  return MakeProblem(
      {.code = std::move(code), .found = std::move(found), .expected = std::move(expected)},
      absl::StatusCode::kFailedPrecondition);
}

absl::Status QueueFull() {
  return MakeProblem({.code = "queue_full",
                      .found = "more games waiting than can be written",
                      .expected = "the same call again a little later"},
                     absl::StatusCode::kResourceExhausted);
}

bool IsWorkerName(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

absl::Status CheckJoin(const JoinInput& input) {
  if (!IsWorkerName(input.worker)) {
    return MakeProblem({.code = "bad_field",
                        .file = "worker",
                        .found = Quote(input.worker),
                        .expected = "1 to 64 of A-Z a-z 0-9 . _ -"});
  }
  if (input.protocol != kProtocol) {
    return Refuse("protocol", absl::StrCat("version ", input.protocol),
                  absl::StrCat("version ", kProtocol));
  }
  if (input.slots < 1 || input.slots > kMaxSlotsPerWorker) {
    return MakeProblem({.code = "bad_field",
                        .file = "slots",
                        .found = absl::StrCat(input.slots),
                        .expected = "1 to 1024"});
  }
  return absl::OkStatus();
}

bool Knows(const AcquireInput& input, RunId run) {
  return std::find(input.known_runs.begin(), input.known_runs.end(), run) != input.known_runs.end();
}

}  // namespace

absl::Status CoordinatorImpl::UnknownSession(SessionId session) {
  return Refuse("unknown_session", absl::StrCat("session ", session),
                "the newest session of a worker: join again");
}

void CoordinatorImpl::Join(JoinInput input, std::function<void(absl::StatusOr<JoinOutput>)> done) {
  absl::Status status = CheckJoin(input);
  if (!status.ok()) return done(status);
  SessionRow row;
  {
    const std::lock_guard lock(mutex_);
    status = stopping_ ? ShuttingDown() : RefuseOnFullDisk();
    if (status.ok()) status = CheckEngines(input);
    if (status.ok()) row.session = marks_.session++;
  }
  if (!status.ok()) return done(status);
  row.worker = input.worker;
  row.slots = input.slots;
  row.build = input.build;
  row.joined_ms = NowMs();
  Writer::Job job;
  job.write = [row](Writer::Batch& batch) { return batch.rows.InsertSession(row); };
  job.done = [this, row, input = std::move(input), done](absl::Status written) {
    if (!written.ok()) return done(Later(std::move(written)));
    Calls calls;
    JoinOutput output{row.session, epoch_, {}, options_.acquire_wait, {}};
    {
      const std::lock_guard lock(mutex_);
      OpenSession(row, input, calls);
      NoteLoad(Now());
      output.beat = pressure_.beat();
      output.spread = pressure_.spread();
    }
    spdlog::info("worker_joined worker={} session={} slots={}", row.worker, row.session, row.slots);
    done(output);
    RunCalls(calls);
  };
  if (!writer_->Push(std::move(job))) done(Busy());
}

void CoordinatorImpl::OpenSession(const SessionRow& row, const JoinInput& input, Calls& calls) {
  const Session* const earlier = sessions_.FindWorker(row.worker);
  const SessionId fenced = earlier == nullptr ? 0 : earlier->id;
  const std::vector<RunId> served = earlier == nullptr ? std::vector<RunId>() : earlier->serves;
  Session session;
  session.id = row.session;
  session.worker = row.worker;
  session.slots = row.slots;
  session.engines = input.engines;
  session.build = row.build;
  session.process = input.process;
  session.labels = input.labels;
  session.memory_mb = input.memory_mb;
  session.cores = input.cores;
  session.seen = Now();
  FindServed(session);
  const std::vector<RunId> serves = session.serves;
  refused_.erase(row.worker);
  if (!sessions_.Open(std::move(session))) return;
  for (const RunId run : serves) ++runs_.at(run).servers;
  Discount(served);
  AnswerHeld(fenced, UnknownSession(fenced), calls);
  if (input.process == 0) return;
  // Whoever was started anew plays nothing of what an earlier process was given.
  const std::vector<LeaseTable::Ended> ended = leases_.Abandon(row.worker, input.process);
  if (ended.empty()) return;
  spdlog::warn("worker_started_again worker={} leases_ended={}", row.worker, ended.size());
  EndLeases(ended, LeaseState::kAbandoned);
  ServeWaiters(calls);
  writer_->Nudge();
}

void CoordinatorImpl::FindServed(Session& session) {
  session.serves.clear();
  for (const auto& [id, run] : runs_) {
    if (run.state.alive() && MayServe(session, run)) session.serves.push_back(id);
  }
}

void CoordinatorImpl::Discount(const std::vector<RunId>& served) {
  for (const RunId id : served) {
    Run& run = runs_.at(id);
    run.servers -= std::min<uint32_t>(run.servers, 1);  // a silent session was not counted
  }
}

void CoordinatorImpl::FindServers(RunId id) {
  Run& run = runs_.at(id);
  for (auto& [session_id, session] : sessions_.all()) {
    if (!MayServe(session, run)) continue;
    session.serves.push_back(id);
    waiters_.AddRun(session_id, id);
    ++run.servers;
  }
}

bool CoordinatorImpl::MustDrain(const Session& session) const {
  return draining_ || drained_.count(session.worker) != 0;
}

absl::Status CoordinatorImpl::Later(absl::Status status, const std::lock_guard<std::mutex>&) {
  return WithRetryAfter(std::move(status), pressure_.RetryAfter(rng_));
}

absl::Status CoordinatorImpl::Later(absl::Status status) {
  const std::lock_guard lock(mutex_);
  return Later(std::move(status), lock);
}

absl::Status CoordinatorImpl::Busy() { return Later(QueueFull()); }

std::optional<absl::StatusOr<AcquireOutput>> CoordinatorImpl::AnswerAtOnce(
    const AcquireInput& input) {
  Session* const session = sessions_.Find(input.session);
  if (stopping_) return ShuttingDown();
  if (session == nullptr) return UnknownSession(input.session);
  const absl::Time now = Now();
  session->seen = now;
  AcquireOutput output;
  if (MustDrain(*session)) {
    output.drain = true;
    return output;
  }
  NoteLoad(now);
  if (pressure_.Sheds(Pressure::Level::kNoAcquires)) {
    output.retry = pressure_.RetryAfter(rng_);
    return output;
  }
  if (std::optional<AcquireOutput> lost = LostLeases(*session, input)) return *std::move(lost);
  return std::nullopt;
}

std::optional<AcquireOutput> CoordinatorImpl::LostLeases(const Session& session,
                                                         const AcquireInput& input) const {
  if (!input.after_lease || session.process == 0) return std::nullopt;
  const std::vector<LeaseGrant> grants =
      leases_.HandedOutAfter(session.worker, session.process, *input.after_lease);
  if (grants.empty()) return std::nullopt;
  AcquireOutput output;
  size_t slots = 0;
  for (const LeaseGrant& grant : grants) {
    slots += grant.slots.size();
    if (slots > kMaxSlotsPerWorker) break;  // the rest is asked for next
    Lease& lease = output.leases.emplace_back(Lease{grant.lease, grant.run, grant.term, {}});
    for (const PlannedSlot& plan : grant.slots) lease.slots.push_back(plan.slot);
    if (!Knows(input, grant.run)) output.runs[grant.run] = PlayOf(runs_.at(grant.run));
  }
  return output;
}

void CoordinatorImpl::Acquire(AcquireInput input, AcquireDone done) {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    // One held call a session: the worker has given up on an earlier one.
    AnswerHeld(input.session, AcquireOutput(), calls);
    if (std::optional<absl::StatusOr<AcquireOutput>> answer = AnswerAtOnce(input)) {
      calls.push_back([done, answer = *std::move(answer)] { done(answer); });
    } else if (!TryGrant(input, done, calls)) {
      const std::vector<RunId> serves = sessions_.Find(input.session)->serves;
      waiters_.Add({std::move(input), std::move(done)}, serves, Now() + options_.acquire_wait);
    }
  }
  RunCalls(calls);
}

void CoordinatorImpl::AnswerHeld(SessionId session, const absl::StatusOr<AcquireOutput>& answer,
                                 Calls& calls) {
  std::optional<Waiter> waiter = waiters_.Take(session);
  if (!waiter) return;
  calls.push_back([done = std::move(waiter->done), answer] { done(answer); });
}

std::vector<RunId> CoordinatorImpl::AvailableRuns() const {
  std::vector<RunId> available;
  for (const auto& [id, run] : runs_) {
    if (run.state.Available() > 0) available.push_back(id);
  }
  return available;
}

void CoordinatorImpl::ServeWaiters(Calls& calls) {
  if (waiters_.size() == 0 || !storage_problem_.empty() || stopping_ ||
      disk_level_ != DiskLevel::kPlenty || pressure_.Sheds(Pressure::Level::kNoAcquires)) {
    return;
  }
  for (;;) {
    const std::optional<SessionId> first = waiters_.First(AvailableRuns());
    if (!first) break;
    Waiter waiter = *waiters_.Take(*first);
    if (TryGrant(waiter.input, waiter.done, calls)) continue;
    // What was there is gone: every line of it is poisoned. It is asked for again.
    calls.push_back([done = std::move(waiter.done)] { done(AcquireOutput()); });
  }
  // Then games that are to be played again, by whoever may; most may, so few have to be asked.
  for (const auto& [id, run] : runs_) {
    if (run.verification.waiting() == 0) continue;
    for (const SessionId session : waiters_.Of(id, kMostAsked)) {
      if (!HasChecks(run, *sessions_.Find(session))) continue;
      Waiter waiter = *waiters_.Take(session);
      if (TryGrant(waiter.input, waiter.done, calls)) continue;
      calls.push_back([done = std::move(waiter.done)] { done(AcquireOutput()); });
    }
  }
}

bool CoordinatorImpl::TryGrant(const AcquireInput& input, AcquireDone& done, Calls& calls) {
  if (!storage_problem_.empty() || disk_level_ != DiskLevel::kPlenty) return false;
  if (stopping_ || runs_.empty()) return false;
  const Session& session = *sessions_.Find(input.session);
  const absl::Time now = Now();
  const uint32_t want = std::clamp<uint32_t>(input.want_slots, 1, kMaxSlotsPerWorker);
  uint32_t granted_slots = 0;
  auto rows = std::make_shared<std::vector<LeaseRow>>();
  AcquireOutput output;
  // How much of each run the worker gets in this answer at most, as long as it has any to give.
  std::map<RunId, uint32_t> room;
  for (const RunId id : session.serves) {
    const Run& run = runs_.at(id);
    const uint32_t least = HasChecks(run, session) ? 1 : 0;
    if (run.state.Available() > 0 || least > 0) {
      room[id] = std::max(PaceOf(run, session).Share(), least);
    }
  }
  std::vector<RunId> open;
  while (granted_slots < want) {
    open.clear();
    for (const auto& [id, slots] : room) {
      const Run& run = runs_.at(id);
      if (slots > 0 && (run.state.Available() > 0 || HasChecks(run, session))) open.push_back(id);
    }
    const RunId id = shares_.Next(open);
    if (id == 0) break;
    Run& run = runs_.at(id);
    const Pace pace = PaceOf(run, session);
    const uint32_t most =
        std::min({want - granted_slots, room[id], pace.LeaseSlots(), options_.slots_per_lease});
    LeaseRow row;
    row.grant.lease = marks_.lease++;
    row.grant.run = id;
    row.grant.slots = PlanSlots(run, session, row.grant.lease, most);
    if (row.grant.slots.empty()) {
      Settle(run);  // every line is poisoned
      room[id] = 0;
      continue;
    }
    const auto count = static_cast<uint32_t>(row.grant.slots.size());
    const uint32_t in_hand = leases_.OpenSlotsOf(session.worker) + count;
    row.grant.worker = session.worker;
    row.grant.session = session.id;
    row.grant.process = session.process;
    row.grant.stage = run.state.row().stage;
    row.grant.term = pace.Term(in_hand);
    row.grant.patience = pace.Patience(in_hand);
    row.granted_ms = absl::ToUnixMillis(now);
    shares_.Charge(id, count);
    room[id] -= count;
    granted_slots += count;
    output.ahead = pace.Ahead();
    output.leases.push_back({row.grant.lease, id, row.grant.term, {}});
    for (const PlannedSlot& plan : row.grant.slots) {
      output.leases.back().slots.push_back(plan.slot);
    }
    // A fresh id and a lease with slots: Grant has nothing to refuse.
    if (const absl::Status granted = leases_.Grant(row.grant, now); !granted.ok()) {
      spdlog::error("lease_refused reason=\"{}\"", std::string(granted.message()));
    }
    unwritten_.emplace(row.grant.lease, std::nullopt);
    rows->push_back(std::move(row));
    if (!Knows(input, id)) output.runs[id] = PlayOf(run);
  }
  if (rows->empty()) return false;
  Writer::Job job;
  job.write = [rows](Writer::Batch& batch) {
    absl::Status status;
    for (const LeaseRow& row : *rows) {
      if (status.ok()) status = batch.rows.InsertLease(row);
      for (const PlannedSlot& plan : row.grant.slots) {
        if (!status.ok() || !plan.IsCheck()) continue;
        status = batch.rows.InsertCheck(row.grant.run, {row.grant.lease, plan.slot.slot},
                                        plan.checks, row.grant.worker);
      }
    }
    return status;
  };
  job.done = [this, rows, done, output](absl::Status status) {
    HandOut(*rows, done, output, std::move(status));
  };
  if (!writer_->Push(std::move(job))) {
    // HandOut takes the mutex: after this call.
    calls.push_back([this, rows, done] { HandOut(*rows, done, {}, QueueFull()); });
  }
  return true;
}

void CoordinatorImpl::HandOut(const std::vector<LeaseRow>& rows, const AcquireDone& done,
                              AcquireOutput output, absl::Status status) {
  if (status.ok()) {
    {
      const std::lock_guard lock(mutex_);
      for (const LeaseRow& row : rows) {
        const auto unwritten = unwritten_.find(row.grant.lease);
        if (unwritten->second) debt_.leases[row.grant.lease] = *unwritten->second;
        unwritten_.erase(unwritten);
        leases_.MarkHandedOut(row.grant.lease);
      }
    }
    return done(std::move(output));
  }
  {
    const std::lock_guard lock(mutex_);
    status = Later(std::move(status), lock);
    for (const LeaseRow& row : rows) {
      unwritten_.erase(row.grant.lease);
      if (!leases_.IsLive(row.grant.lease)) continue;
      leases_.Cancel(row.grant.lease);
      Run& run = runs_.at(row.grant.run);
      run.state.Withdraw(row.grant.slots);
      LoseChecks(run, row.grant.slots);
      shares_.Refund(row.grant.run, static_cast<uint32_t>(row.grant.slots.size()));
    }
  }
  done(std::move(status));
}

PlaySpec CoordinatorImpl::PlayOf(const Run& run) {
  PlaySpec play = run.state.spec().play;
  const Sha256& snapshot = run.state.row().snapshot;
  if (play.re_entry) play.snapshot.assign(snapshot.begin(), snapshot.end());
  return play;
}

Pace CoordinatorImpl::PaceOf(const Run& run, const Session& session) const {
  return {.game = run.state.mean_game(),
          .staged = run.state.staged(),
          .available = run.state.Available(),
          .workers = run.servers,
          .seats = session.slots,
          .least_term = options_.lease_term,
          .beat = pressure_.beat()};
}

void CoordinatorImpl::Submit(SubmitInput input, SubmitDone done) {
  Session session;
  absl::Status status;
  {
    const std::lock_guard lock(mutex_);
    Session* found = sessions_.Find(input.session);
    if (stopping_) {
      status = ShuttingDown();
    } else if (found == nullptr) {
      status = UnknownSession(input.session);
    } else {
      found->seen = Now();
      session = *found;
      NoteLoad(found->seen);
      if (pressure_.Sheds(Pressure::Level::kNoSubmits)) status = Later(QueueFull(), lock);
    }
  }
  if (status.ok() && input.epoch != epoch_) {
    status = Refuse("epoch", absl::StrCat("games of epoch ", Quote(input.epoch)),
                    absl::StrCat("epoch ", epoch_, ": the database was restored"));
  }
  if (status.ok() && input.games.size() > kMaxGamesPerSubmit) {
    status = MakeProblem({.code = "bad_field",
                          .file = "games",
                          .found = absl::StrCat(input.games.size()),
                          .expected = absl::StrCat("at most ", kMaxGamesPerSubmit)});
  }
  if (!status.ok()) return done(status);
  auto submission = std::make_shared<Submission>();
  submission->session = session.id;
  submission->work = {.session = session.id,
                      .want_slots = input.want_slots,
                      .known_runs = std::move(input.known_runs),
                      .after_lease = input.after_lease};
  submission->done = std::move(done);
  bool to_write = false;
  for (const SubmittedGame& game : input.games) {
    absl::StatusOr<Item> item = Examine(session, game);
    if (!item.ok()) return submission->done(item.status());
    submission->items.push_back(*std::move(item));
    if (submission->items.back().kind != Item::Kind::kRejected) to_write = true;
  }
  if (!to_write) return GamesCommitted(*submission);
  Writer::Job job;
  job.games = submission->items.size();
  job.write = [this, submission](Writer::Batch& batch) { return WriteGames(*submission, batch); };
  job.done = [this, submission](absl::Status written) {
    if (!written.ok()) return submission->done(Later(std::move(written)));
    GamesCommitted(*submission);
  };
  if (!writer_->Push(std::move(job))) submission->done(Busy());
}

absl::StatusOr<CoordinatorImpl::Item> CoordinatorImpl::Examine(const Session& session,
                                                               const SubmittedGame& game) {
  Item item;
  item.row.run = game.run;
  item.row.lease = game.lease;
  item.row.slot = game.slot;
  item.row.worker = session.worker;
  const auto rejected = [&item](const absl::Status& reason) {
    item.kind = Item::Kind::kRejected;
    item.reason = std::string(reason.message());
    return item;
  };
  std::optional<LeaseTable::Found> found;
  MatchRules match;
  book::AnswerBook book;
  bool re_entry = false;
  ResignRule resign;
  {
    const std::lock_guard lock(mutex_);
    const Run* run = FindRun(game.run);
    if (run == nullptr) {
      return rejected(Refuse("unknown_run", absl::StrCat("run ", game.run), "a run"));
    }
    match = run->state.spec().play.match;
    re_entry = run->state.spec().play.re_entry;
    book.graph = run->state.shared_graph();
    resign = run->state.spec().play.resign;
    found = leases_.Find(game.lease, game.slot);
  }
  if (found && (found->run != game.run || found->worker != session.worker)) {
    return rejected(Refuse("foreign_lease", absl::StrCat("lease ", game.lease),
                           absl::StrCat("a lease of ", session.worker, " in run ", game.run)));
  }
  if (game.nodes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return rejected(Refuse("bad_field", absl::StrCat(game.nodes, " nodes"), "less than 2^63"));
  }
  if (!found || found->filled) {
    // Sent again, or never ours: the writer compares it with what is under its key.
    if (game.moves.size() > kMaxMoves) {
      return rejected(Refuse("bad_field", absl::StrCat(game.moves.size(), " moves"), "fewer"));
    }
    item.kind = Item::Kind::kKnown;
    item.row.payload_hash = PayloadHash(game);
    item.row.moves = game.moves;
    return item;
  }
  if (re_entry) {
    auto weights = weights_.Get(game.run, found->plan.slot.weights_version);
    // Weights that cannot be read now may be later; without any the game can never be judged.
    if (absl::IsNotFound(weights.status()) || absl::IsDataLoss(weights.status())) {
      return rejected(weights.status());
    }
    RETURN_IF_ERROR(weights.status());
    book.weights = *std::move(weights);
  }
  const absl::StatusOr<CheckedGame> checked =
      CheckGame(rules_, match, found->plan.slot, game, re_entry ? &book : nullptr);
  if (!checked.ok()) return rejected(checked.status());
  item.kind = found->plan.IsCheck() ? Item::Kind::kCheck : Item::Kind::kNew;
  item.session = found->session;
  item.row.stage = found->stage;
  item.row.payload_hash = checked->payload_hash;
  item.row.moves_hash = checked->moves_hash;
  item.row.book_plies =
      static_cast<uint32_t>(std::min(found->plan.slot.line.size(), game.moves.size()));
  item.row.ending = checked->ending;
  item.row.nodes = game.nodes;
  item.row.think_ms = game.think_ms;
  item.row.moves = game.moves;
  item.row.reentered = checked->reentered;
  item.row.scores = game.scores;
  item.row.resign_check = CheckResignation(resign, checked->chooser, game.scores, checked->ending);
  item.row.fault = IsFault(checked->ending.termination) ? game.fault : "";
  item.plan = std::move(found->plan);
  return item;
}

absl::Status CoordinatorImpl::WriteGames(Submission& submission, Writer::Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    for (Item& item : submission.items) item.row.stale = !leases_.IsLive(item.row.lease);
  }
  const int64_t now_ms = NowMs();
  for (Item& item : submission.items) {
    item.insert.reset();
    if (item.kind == Item::Kind::kRejected) continue;
    if (item.kind == Item::Kind::kNew) {
      item.row.commit_seq = batch.commit_seq + 1;
      item.row.accepted_ms = now_ms;
      const absl::StatusOr<RunStore::Insert> inserted = batch.rows.InsertGame(item.row);
      if (!inserted.ok()) return inserted.status();
      item.insert = *inserted;
      if (item.insert == RunStore::Insert::kNew) batch.commit_seq = item.row.commit_seq;
    } else if (item.kind == Item::Kind::kCheck) {
      item.row.accepted_ms = now_ms;
      const absl::StatusOr<RunStore::FinishedCheck> finished =
          batch.rows.FinishCheck(item.row, item.plan.checks);
      if (!finished.ok()) return finished.status();
      item.insert = finished->insert;
      item.same = finished->same;
    } else {
      const absl::StatusOr<std::optional<RunStore::Insert>> known = batch.rows.CompareGame(
          item.row.run, item.row.lease, item.row.slot, item.row.payload_hash);
      if (!known.ok()) return known.status();
      item.insert = *known;
    }
    if (item.insert == RunStore::Insert::kConflict) {
      const absl::Status kept = batch.rows.InsertConflict(item.row, now_ms);
      if (!kept.ok()) return kept;
    }
  }
  return absl::OkStatus();
}

GameVerdict CoordinatorImpl::Apply(const Item& item, Session* session) {
  GameVerdict verdict{item.row.lease, item.row.slot, Verdict::kRejected, item.reason};
  if (item.kind == Item::Kind::kRejected) return verdict;
  if (!item.insert) {
    verdict.reason = std::string(
        Refuse("unknown_slot", absl::StrCat("slot ", item.row.slot, " of lease ", item.row.lease),
               "a slot that was handed out")
            .message());
    return verdict;
  }
  Run& run = runs_.at(item.row.run);
  switch (*item.insert) {
    case RunStore::Insert::kDuplicate:
      ++run.duplicates;
      verdict.verdict = Verdict::kDuplicate;
      return verdict;
    case RunStore::Insert::kConflict:
      ++run.conflicts;
      if (session != nullptr) ++session->conflicts;
      residuals_.AddConflict(item.row.worker);
      spdlog::warn("game_conflict run={} lease={} slot={} worker={}", item.row.run, item.row.lease,
                   item.row.slot, item.row.worker);
      verdict.verdict = Verdict::kConflict;
      verdict.reason = "another game was committed under this key";
      return verdict;
    case RunStore::Insert::kNew:
      break;
  }
  const absl::Time now = Now();
  const absl::StatusOr<LeaseTable::Completion> completion =
      leases_.Complete(item.row.lease, item.row.slot, now);
  const bool open = completion.ok() && !completion->stale;
  if (item.kind == Item::Kind::kCheck) {
    ApplyCheck(run, item);
  } else {
    Observe(run, item, run.state.Credit(item.row, item.plan, open));
    run.rate.Add(now, IsFault(item.row.ending.termination) ? 0 : 1);
  }
  if (completion.ok() && completion->finished) debt_.leases[item.row.lease] = LeaseState::kFinished;
  if (session != nullptr) {
    ++(IsFault(item.row.ending.termination) ? session->faults : session->games);
  }
  verdict.verdict = item.row.stale ? Verdict::kStaleAccepted : Verdict::kAccepted;
  return verdict;
}

void CoordinatorImpl::GamesCommitted(Submission& submission) {
  std::vector<GameVerdict> verdicts;
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    Session* session = sessions_.Find(submission.session);
    for (const Item& item : submission.items) verdicts.push_back(Apply(item, session));
    for (auto& [id, run] : runs_) Settle(run);
    ServeWaiters(calls);
    if (submission.work.want_slots > 0) {
      AnswerWithWork(submission, std::move(verdicts), calls);
    } else {
      calls.push_back([done = submission.done, verdicts = std::move(verdicts)] {
        done(SubmitOutput{.verdicts = verdicts, .work = {}});
      });
    }
  }
  RunCalls(calls);
}

std::string CoordinatorImpl::WorkerOf(SessionId session_id) const {
  const std::lock_guard lock(mutex_);
  const Session* const session = sessions_.Find(session_id);
  return session == nullptr ? std::string() : session->worker;
}

void CoordinatorImpl::AnswerWithWork(const Submission& submission,
                                     std::vector<GameVerdict> verdicts, Calls& calls) {
  AcquireDone done = [done = submission.done,
                      verdicts = std::move(verdicts)](const absl::StatusOr<AcquireOutput>& work) {
    // The games are committed, whatever became of the leases.
    SubmitOutput output{.verdicts = verdicts, .work = AcquireOutput()};
    if (work.ok()) output.work = *work;
    done(std::move(output));
  };
  if (std::optional<absl::StatusOr<AcquireOutput>> answer = AnswerAtOnce(submission.work)) {
    calls.push_back([done, answer = *std::move(answer)] { done(answer); });
  } else if (!TryGrant(submission.work, done, calls)) {
    calls.push_back([done] { done(AcquireOutput()); });
  }
}

absl::StatusOr<BeatOutput> CoordinatorImpl::Beat(SessionId session_id,
                                                 const std::vector<LeaseProgress>& progress) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return ShuttingDown();
  Session* session = sessions_.Find(session_id);
  if (session == nullptr) return UnknownSession(session_id);
  const absl::Time now = Now();
  session->seen = now;
  NoteLoad(now);
  BeatOutput output;
  output.beat = pressure_.beat();
  output.spread = pressure_.spread();
  if (pressure_.Sheds(Pressure::Level::kNoBeats)) return output;
  for (const LeaseProgress& lease : progress) {
    const absl::Status renewed =
        leases_.Renew(lease.lease, session->worker, lease.plies, now, 4 * output.beat);
    // A lease that is forgotten is finished, and nothing of it is left to abandon.
    if (!renewed.ok() && (leases_.IsOver(lease.lease) || leases_.IsLive(lease.lease))) {
      output.cancelled.push_back(lease.lease);
    }
  }
  output.drain = MustDrain(*session);
  return output;
}

void CoordinatorImpl::Leave(SessionId session_id, std::vector<SlotRef> unplayed,
                            std::function<void(absl::Status)> done) {
  Calls calls;
  absl::Status status;
  {
    const std::lock_guard lock(mutex_);
    const Session* session = sessions_.Find(session_id);
    if (stopping_) {
      status = ShuttingDown();
    } else if (session == nullptr) {
      status = UnknownSession(session_id);
    } else {
      std::vector<LeaseTable::Ended> ended;
      for (const SlotRef& slot : unplayed) {
        // A lease is named once for each of its slots; it ends at the first.
        auto lease = leases_.GiveBack(slot.lease, session->worker);
        if (lease.ok()) ended.push_back(*std::move(lease));
      }
      spdlog::info("worker_left worker={} session={} leases_given_back={}", session->worker,
                   session_id, ended.size());
      debt_.left[session_id] = NowMs();
      AnswerHeld(session_id, UnknownSession(session_id), calls);
      Discount(session->serves);
      sessions_.Close(session_id);
      EndLeases(ended, LeaseState::kGivenBack);
      ServeWaiters(calls);
    }
  }
  RunCalls(calls);
  if (!status.ok()) return done(status);
  Writer::Job job;
  job.write = [](Writer::Batch&) { return absl::OkStatus(); };  // the debt is what is written
  job.done = done;
  if (!writer_->Push(std::move(job))) done(Busy());
}

}  // namespace joseki::coordinator
