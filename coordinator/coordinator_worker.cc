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
#include "coordinator/runs/evaluation_intake.h"
#include "coordinator/runs/intake.h"
#include "coordinator/store/evaluation_store.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr uint32_t kMaxSlotsPerWorker = 1024;
constexpr size_t kMostAsked = 64;  // held calls, whether they may play a game again
// What may be done before somebody else gets the mutex: some hundred microseconds.
constexpr uint32_t kSlotsAtOnce = 128;
constexpr size_t kGamesAtOnce = 128;

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

// Of a worker's processes so many are remembered.
constexpr size_t kFollowed = 8;

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
    if (status.ok()) status = CheckAlone(input);
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

// A worker that is started again comes with a new process and its old instance, and takes its name
// over at once. Another worker of that name comes with another instance; whether the first still
// lives is seen by what is heard of it after the other has asked. Without instances only this is
// known: a process that was followed by another does not come back, unless both are at work.
absl::Status CoordinatorImpl::CheckAlone(const JoinInput& input) {
  Session* const session = sessions_.FindWorker(input.worker);
  if (session == nullptr || input.process == 0 || session->process == input.process) {
    return absl::OkStatus();
  }
  const auto in_use = [&](absl::StatusCode code) {
    return MakeProblem(
        {.code = "name_in_use",
         .file = "worker",
         .found = absl::StrCat("another worker ", Quote(input.worker), " at work"),
         .expected = "a name of its own for each worker: --name (with TLS the one of "
                     "its certificate), and a spool folder of its own"},
        code);
  };
  const std::vector<uint64_t>& followed = session->followed;
  if (std::find(followed.begin(), followed.end(), input.process) != followed.end()) {
    // A Join that was long on its way may have come after its worker was started again: of a
    // process that has said nothing since, it is not known that it lives.
    if (session->heard) return in_use(absl::StatusCode::kFailedPrecondition);
  } else if (input.instance == 0 || session->instance == 0 || session->instance == input.instance) {
    return absl::OkStatus();
  }
  const absl::Time now = Now();
  const absl::Duration left = session->seen + Silence() - now;
  if (left <= absl::ZeroDuration()) return absl::OkStatus();  // it is gone
  if (session->rival != input.process) {
    session->rival = input.process;
    session->rival_since = now;
  }
  if (session->seen > session->rival_since) {
    spdlog::warn("name_in_use worker={} session={}", input.worker, session->id);
    return in_use(absl::StatusCode::kFailedPrecondition);
  }
  return WithRetryAfter(in_use(absl::StatusCode::kUnavailable), std::min(left, pressure_.beat()));
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
  session.instance = input.instance;
  if (earlier != nullptr) {
    session.followed = earlier->followed;
    if (earlier->process != input.process) session.followed.push_back(earlier->process);
    if (session.followed.size() > kFollowed) session.followed.erase(session.followed.begin());
  }
  session.labels = input.labels;
  session.memory_mb = input.memory_mb;
  session.cores = input.cores;
  session.opponents = input.opponents;
  session.kinds = input.kinds;
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
  session->HeardAt(now);
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
  Granting granting{.input = std::move(input)};
  bool granted = false;
  {
    const std::lock_guard lock(mutex_);
    // One held call a session: the worker has given up on an earlier one.
    AnswerHeld(granting.input.session, AcquireOutput(), calls);
    if (std::optional<absl::StatusOr<AcquireOutput>> answer = AnswerAtOnce(granting.input)) {
      calls.push_back([done, answer = *std::move(answer)] { done(answer); });
    } else if (!(granted = GrantSome(granting))) {
      const std::vector<RunId> serves = sessions_.Find(granting.input.session)->serves;
      waiters_.Add({std::move(granting.input), done}, serves, Now() + options_.acquire_wait);
    }
  }
  for (bool more = granted; more;) {
    const std::lock_guard lock(mutex_);
    more = GrantSome(granting);
  }
  if (granted) WriteAndHandOut(std::move(granting), done, calls);
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
  for (uint32_t slots = 0;;) {
    const std::optional<SessionId> first = waiters_.First(AvailableRuns());
    if (!first) break;
    if (slots >= kSlotsAtOnce) {
      // Thousands may wait when a stage begins.
      tick_again_ = true;
      wake_.notify_all();
      return;
    }
    Waiter waiter = *waiters_.Take(*first);
    const uint32_t granted = TryGrant(waiter.input, waiter.done, calls);
    slots += granted;
    if (granted > 0) continue;
    // What was there is gone: every line of it is poisoned. It is asked for again.
    calls.push_back([done = std::move(waiter.done)] { done(AcquireOutput()); });
  }
  // Then games that are to be played again, by whoever may; most may, so few have to be asked.
  for (const auto& [id, run] : runs_) {
    if (run.verification.waiting() == 0) continue;
    for (const SessionId session : waiters_.Of(id, kMostAsked)) {
      if (!HasChecks(run, *sessions_.Find(session))) continue;
      Waiter waiter = *waiters_.Take(session);
      if (TryGrant(waiter.input, waiter.done, calls) > 0) continue;
      calls.push_back([done = std::move(waiter.done)] { done(AcquireOutput()); });
    }
  }
}

uint32_t CoordinatorImpl::TryGrant(const AcquireInput& input, const AcquireDone& done,
                                   Calls& calls) {
  Granting granting{.input = input};
  if (!GrantSome(granting)) return 0;
  const uint32_t slots = granting.slots;
  WriteAndHandOut(std::move(granting), done, calls);
  return slots;
}

bool CoordinatorImpl::GrantSome(Granting& granting) {
  if (!storage_problem_.empty() || disk_level_ != DiskLevel::kPlenty) return false;
  if (stopping_ || runs_.empty()) return false;
  const Session* const found = sessions_.Find(granting.input.session);
  if (found == nullptr) return false;  // it has ended since
  const Session& session = *found;
  const absl::Time now = Now();
  const uint32_t want = std::clamp<uint32_t>(granting.input.want_slots, 1, kMaxSlotsPerWorker);
  std::map<RunId, uint32_t>& room = granting.room;
  if (granting.slots == 0) {
    for (const RunId id : session.serves) {
      const Run& run = runs_.at(id);
      const uint32_t least = HasChecks(run, session) ? 1 : 0;
      if (run.state.Available(session.kinds) > 0 || least > 0) {
        room[id] = std::max(PaceOf(run, session).Share(), least);
      }
    }
  }
  const uint32_t before = granting.slots;
  std::vector<RunId> open;
  while (granting.slots < want && granting.slots - before < kSlotsAtOnce) {
    open.clear();
    for (const auto& [id, slots] : room) {
      const Run& run = runs_.at(id);
      if (slots > 0 && (run.state.Available(session.kinds) > 0 || HasChecks(run, session)))
        open.push_back(id);
    }
    const RunId id = shares_.Next(open);
    if (id == 0) break;
    Run& run = runs_.at(id);
    const Pace pace = PaceOf(run, session);
    const uint32_t most =
        std::min({want - granting.slots, room[id], pace.LeaseSlots(), options_.slots_per_lease});
    LeaseGrant grant;
    grant.lease = marks_.lease++;
    grant.run = id;
    grant.slots = PlanSlots(run, session, grant.lease, most);
    if (grant.slots.empty()) {
      Settle(run);  // every line is poisoned
      room[id] = 0;
      continue;
    }
    const auto count = static_cast<uint32_t>(grant.slots.size());
    const uint32_t in_hand = leases_.OpenSlotsOf(session.worker) + count;
    grant.worker = session.worker;
    grant.session = session.id;
    grant.process = session.process;
    grant.stage = run.state.row().stage;
    grant.term = pace.Term(in_hand);
    grant.patience = pace.Patience(in_hand);
    shares_.Charge(id, count);
    room[id] -= count;
    granting.slots += count;
    granting.output.ahead = pace.Ahead();
    const auto shared = std::make_shared<const LeaseGrant>(std::move(grant));
    // A fresh id and a lease with slots: Grant has nothing to refuse.
    if (const absl::Status granted = leases_.Grant(shared, now); !granted.ok()) {
      spdlog::error("lease_refused reason=\"{}\"", std::string(granted.message()));
    }
    unwritten_.emplace(shared->lease, std::nullopt);
    granting.leases.push_back({shared, absl::ToUnixMillis(now)});
    if (!Knows(granting.input, id)) granting.output.runs[id] = PlayOf(run);
  }
  return granting.slots > before;
}

void CoordinatorImpl::WriteAndHandOut(Granting granting, AcquireDone done, Calls& calls) {
  auto leases = std::make_shared<const std::vector<Granted>>(std::move(granting.leases));
  Writer::Job job;
  job.write = [leases](Writer::Batch& batch) {
    absl::Status status;
    for (const Granted& lease : *leases) {
      const LeaseGrant& grant = *lease.grant;
      if (status.ok()) status = batch.rows.InsertLease(grant, lease.granted_ms);
      for (const PlannedSlot& plan : grant.slots) {
        if (!status.ok() || !plan.IsCheck()) continue;
        status = batch.rows.InsertCheck(grant.run, {grant.lease, plan.slot.slot}, plan.checks,
                                        grant.worker);
      }
    }
    return status;
  };
  job.done = [this, leases, done, output = std::move(granting.output)](absl::Status status) {
    HandOut(*leases, done, output, std::move(status));
  };
  if (!writer_->Push(std::move(job))) {
    // HandOut takes the mutex: after this call.
    calls.push_back([this, leases, done] { HandOut(*leases, done, {}, QueueFull()); });
  }
}

void CoordinatorImpl::HandOut(const std::vector<Granted>& leases, const AcquireDone& done,
                              AcquireOutput output, absl::Status status) {
  if (status.ok()) {
    {
      const std::lock_guard lock(mutex_);
      for (const Granted& lease : leases) {
        const LeaseId id = lease.grant->lease;
        const auto unwritten = unwritten_.find(id);
        if (unwritten->second) debt_.leases[id] = *unwritten->second;
        unwritten_.erase(unwritten);
        leases_.MarkHandedOut(id);
      }
    }
    for (const Granted& lease : leases) {
      const LeaseGrant& grant = *lease.grant;
      std::vector<Slot>& slots =
          output.leases.emplace_back(Lease{grant.lease, grant.run, grant.term, {}}).slots;
      slots.reserve(grant.slots.size());
      for (const PlannedSlot& plan : grant.slots) slots.push_back(plan.slot);
    }
    return done(std::move(output));
  }
  {
    const std::lock_guard lock(mutex_);
    status = Later(std::move(status), lock);
    for (const Granted& lease : leases) {
      const LeaseGrant& grant = *lease.grant;
      unwritten_.erase(grant.lease);
      if (!leases_.IsLive(grant.lease)) continue;
      leases_.Cancel(grant.lease);
      Run& run = runs_.at(grant.run);
      run.state.Withdraw(grant.slots);
      LoseChecks(run, grant.slots);
      shares_.Refund(grant.run, static_cast<uint32_t>(grant.slots.size()));
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
          .available = run.state.Available(session.kinds),
          .workers = run.servers,
          .seats = session.slots,
          .least_term = options_.lease_term,
          .beat = pressure_.beat()};
}

void CoordinatorImpl::Submit(SubmitInput input, SubmitDone done) {
  absl::Status status;
  std::string worker;
  std::vector<Place> places;
  {
    const std::lock_guard lock(mutex_);
    Session* session = sessions_.Find(input.session);
    if (stopping_) {
      status = ShuttingDown();
    } else if (session == nullptr) {
      status = UnknownSession(input.session);
    } else {
      session->HeardAt(Now());
      worker = session->worker;
      NoteLoad(session->seen);
      if (pressure_.Sheds(Pressure::Level::kNoSubmits)) status = Later(QueueFull(), lock);
    }
    if (status.ok() && input.epoch == epoch_ && input.games.size() <= kMaxGamesPerSubmit) {
      places.reserve(input.games.size());
      for (const SubmittedGame& game : input.games) places.push_back(Locate(game));
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
  submission->session = input.session;
  submission->work = {.session = input.session,
                      .want_slots = input.want_slots,
                      .known_runs = std::move(input.known_runs),
                      .after_lease = input.after_lease};
  submission->done = std::move(done);
  bool to_write = false;
  submission->items.reserve(input.games.size());
  for (size_t i = 0; i < input.games.size(); ++i) {
    absl::StatusOr<Item> item = Examine(worker, std::move(input.games[i]), std::move(places[i]));
    if (!item.ok()) return submission->done(item.status());
    submission->items.push_back(*std::move(item));
    if (submission->items.back().kind != Item::Kind::kRejected) to_write = true;
  }
  if (!to_write) {
    std::vector<Answer> answers;
    GamesCommitted(*submission, answers);
    return GiveAnswers(answers);
  }
  Writer::Job job;
  job.games = submission->items.size();
  job.write = [this, submission](Writer::Batch& batch) { return WriteGames(*submission, batch); };
  job.done = [this, submission](absl::Status written) {
    if (!written.ok()) return submission->done(Later(std::move(written)));
    GamesCommitted(*submission, answers_);
  };
  if (!writer_->Push(std::move(job))) submission->done(Busy());
}

CoordinatorImpl::Place CoordinatorImpl::Locate(const SubmittedGame& game) const {
  Place place;
  const Run* run = FindRun(game.run);
  if (run == nullptr) return place;
  const PlaySpec& play = run->state.spec().play;
  place.known_run = true;
  place.match = play.match;
  place.resign = play.resign;
  if (play.re_entry) place.graph = run->state.shared_graph();
  place.slot = leases_.Find(game.lease, game.slot);
  return place;
}

absl::StatusOr<CoordinatorImpl::Item> CoordinatorImpl::Examine(const std::string& worker,
                                                               SubmittedGame&& game,
                                                               Place&& place) {
  Item item;
  item.row.run = game.run;
  item.row.lease = game.lease;
  item.row.slot = game.slot;
  item.row.worker = worker;
  const auto rejected = [&item](const absl::Status& reason) {
    item.kind = Item::Kind::kRejected;
    item.reason = std::string(reason.message());
    return item;
  };
  if (!place.known_run) {
    return rejected(Refuse("unknown_run", absl::StrCat("run ", game.run), "a run"));
  }
  std::optional<LeaseTable::Found>& found = place.slot;
  if (found && (found->run != game.run || found->worker != worker)) {
    return rejected(Refuse("foreign_lease", absl::StrCat("lease ", game.lease),
                           absl::StrCat("a lease of ", worker, " in run ", game.run)));
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
    item.row.moves = std::move(game.moves);
    return item;
  }
  const Slot& slot = found->plan->slot;
  if (slot.kind == SlotKind::kEvaluation) {
    const absl::StatusOr<CheckedEvaluation> checked =
        CheckEvaluation(rules_, place.match, slot, game);
    if (!checked.ok()) return rejected(checked.status());
    item.kind = Item::Kind::kEvaluation;
    item.session = found->session;
    item.row.payload_hash = checked->payload_hash;
    item.row.ending = checked->ending;
    item.row.nodes = game.nodes;
    item.row.think_ms = game.think_ms;
    item.row.moves = std::move(game.moves);
    if (IsFault(checked->ending.termination)) item.row.fault = std::move(game.fault);
    item.position = checked->position;
    item.score = checked->score;
    item.depth = game.depth;
    item.plan = std::move(found->plan);
    return item;
  }
  book::AnswerBook book;
  if (place.graph != nullptr) {
    book.graph = std::move(place.graph);
    auto weights = weights_.Get(game.run, slot.weights_version);
    // Weights that cannot be read now may be later; without any the game can never be judged.
    if (absl::IsNotFound(weights.status()) || absl::IsDataLoss(weights.status())) {
      return rejected(weights.status());
    }
    RETURN_IF_ERROR(weights.status());
    book.weights = *std::move(weights);
  }
  absl::StatusOr<CheckedGame> checked =
      CheckGame(rules_, place.match, slot, game, book.graph != nullptr ? &book : nullptr);
  if (!checked.ok()) return rejected(checked.status());
  item.kind = found->plan->IsCheck() ? Item::Kind::kCheck : Item::Kind::kNew;
  item.session = found->session;
  item.row.stage = found->stage;
  item.row.payload_hash = checked->payload_hash;
  item.row.moves_hash = checked->moves_hash;
  item.row.book_plies = static_cast<uint32_t>(std::min(slot.line.size(), game.moves.size()));
  item.row.ending = checked->ending;
  item.row.nodes = game.nodes;
  item.row.think_ms = game.think_ms;
  item.row.resign_check =
      CheckResignation(place.resign, checked->chooser, game.scores, checked->ending);
  item.row.moves = std::move(game.moves);
  item.row.reentered = std::move(checked->reentered);
  item.row.own = slot.own;
  item.row.scores = std::move(game.scores);
  if (IsFault(checked->ending.termination)) item.row.fault = std::move(game.fault);
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
          batch.rows.FinishCheck(item.row, item.plan->checks);
      if (!finished.ok()) return finished.status();
      item.insert = finished->insert;
      item.same = finished->same;
    } else if (item.kind == Item::Kind::kEvaluation) {
      item.row.accepted_ms = now_ms;
      RETURN_IF_ERROR(WriteEvaluation(item, batch));
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

absl::Status CoordinatorImpl::WriteEvaluation(Item& item, Writer::Batch& batch) {
  RunSpec spec;
  {
    const std::lock_guard lock(mutex_);
    spec = runs_.at(item.row.run).state.spec();
  }
  ASSIGN_OR_RETURN(const InsertedEvaluation inserted,
                   InsertEvaluation(batch.rows.store(),
                                    {.game = item.row,
                                     .position = item.position,
                                     .score = item.score,
                                     .depth = item.depth,
                                     .attempt = item.plan->failures + 1},
                                    spec));
  item.insert = inserted.insert;
  item.row.commit_seq = inserted.seq;
  return absl::OkStatus();
}

void CoordinatorImpl::ApplyEvaluation(Run& run, const Item& item, bool open) {
  const GameRow& row = item.row;
  if (IsFault(row.ending.termination)) {
    run.state.AddEvaluationFault(*item.plan, open);
    spdlog::warn("evaluation_failed run={} lease={} slot={} worker={} termination={}", row.run,
                 row.lease, row.slot, row.worker, Name(row.ending.termination));
    return;
  }
  run.state.AddEvaluation(*item.plan, open,
                          {.seq = row.commit_seq,
                           .score = item.score,
                           .older = false,
                           .worker = row.worker,
                           .lease = row.lease});
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
  } else if (item.kind == Item::Kind::kEvaluation) {
    ApplyEvaluation(run, item, open);
  } else {
    Observe(run, item, run.state.Credit(item.row, *item.plan, open));
    run.rate.Add(now, IsFault(item.row.ending.termination) ? 0 : 1);
  }
  if (completion.ok() && completion->finished) debt_.leases[item.row.lease] = LeaseState::kFinished;
  if (session != nullptr && item.kind != Item::Kind::kEvaluation) {
    ++(IsFault(item.row.ending.termination) ? session->faults : session->games);
  }
  verdict.verdict = item.row.stale ? Verdict::kStaleAccepted : Verdict::kAccepted;
  return verdict;
}

void CoordinatorImpl::GiveAnswers(std::vector<Answer>& answers) {
  for (Answer& answer : answers) answer.done(std::move(answer.output));
  answers.clear();
}

void CoordinatorImpl::GamesCommitted(Submission& submission, std::vector<Answer>& answers) {
  std::vector<GameVerdict> verdicts;
  Calls calls;
  {
    std::unique_lock lock(mutex_);
    verdicts.reserve(submission.items.size());
    for (const Item& item : submission.items) {
      if (!verdicts.empty() && verdicts.size() % kGamesAtOnce == 0) {
        lock.unlock();
        lock.lock();
      }
      verdicts.push_back(Apply(item, sessions_.Find(submission.session)));
    }
    for (auto& [id, run] : runs_) Settle(run);
    ServeWaiters(calls);
    if (submission.work.want_slots > 0) {
      AnswerWithWork(submission, std::move(verdicts), calls);
    } else {
      answers.push_back(
          {std::move(submission.done), SubmitOutput{.verdicts = std::move(verdicts), .work = {}}});
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
  } else if (TryGrant(submission.work, done, calls) == 0) {
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
  session->HeardAt(now);
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

void CoordinatorImpl::NoteCost(SessionId session_id, const WorkerCost& cost) {
  const std::lock_guard lock(mutex_);
  if (Session* const session = sessions_.Find(session_id)) session->cost = cost;
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
