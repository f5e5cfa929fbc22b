// What workers are given to play.

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "base/status_macros.h"
#include "coordinator/coordinator.h"
#include "coordinator/refusals.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostAsked = 64;  // held calls, whether they may play a game again
// What may be done before somebody else gets the mutex: some hundred microseconds.
constexpr uint32_t kSlotsAtOnce = 128;
constexpr absl::Duration kAskAgain = absl::Seconds(1);  // if there was nothing for one worker alone

bool Knows(const AcquireInput& input, RunId run) {
  return std::find(input.known_runs.begin(), input.known_runs.end(), run) != input.known_runs.end();
}

// What so many games can have. Pieces of a book that a worker fetches count as plies too.
uint32_t MostPlies(const PlaySpec& play, uint32_t games) {
  constexpr uint64_t kPieces = 100'000;
  const bool books = play.re_entry || play.own_book || play.opponent;
  const uint64_t plies = uint64_t{games} * static_cast<uint64_t>(play.match.max_plies);
  return static_cast<uint32_t>(
      std::min<uint64_t>(plies + (books ? kPieces : 0), std::numeric_limits<uint32_t>::max()));
}

// What a game may take by its limits, if it goes on for as long as the match lets it.
absl::Duration TimeByLimits(const PlaySpec& play) {
  constexpr double kSlowNodesPerSecond = 20'000;
  const auto move = [](uint64_t nodes, uint32_t move_ms) {
    return absl::Milliseconds(move_ms) +
           absl::Seconds(static_cast<double>(nodes) / kSlowNodesPerSecond);
  };
  absl::Duration longest = move(play.nodes, play.move_ms);
  if (play.opponent) {
    longest = std::max(longest, move(play.opponent->nodes, play.opponent->move_ms));
  }
  return play.match.max_plies * longest;
}

}  // namespace

std::optional<absl::StatusOr<AcquireOutput>> Coordinator::ReplyAtOnce(const AcquireInput& input) {
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

std::optional<AcquireOutput> Coordinator::LostLeases(const Session& session,
                                                     const AcquireInput& input) const {
  if (!input.after_lease) return std::nullopt;
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

void Coordinator::Acquire(AcquireInput input, AcquireDone done) {
  Calls calls;
  Granting granting{.input = std::move(input)};
  bool granted = false;
  {
    const std::lock_guard lock(mutex_);
    // One held call a session: the worker has given up on an earlier one.
    ReplyToHeld(granting.input.session, AcquireOutput(), calls);
    if (std::optional<absl::StatusOr<AcquireOutput>> reply = ReplyAtOnce(granting.input)) {
      calls.push_back([done, reply = *std::move(reply)] { done(reply); });
    } else if (!(granted = GrantSome(granting))) {
      const std::vector<RunId> serves = sessions_.Find(granting.input.session)->serves;
      waiters_.Add({std::move(granting.input), done}, serves, Now() + options_.acquire_wait);
    }
  }
  if (granted) {
    const std::lock_guard lock(mutex_);
    while (GrantSome(granting)) mutex_.LetOthers();
  }
  if (granted) WriteAndHandOut(std::move(granting), done, calls);
  RunCalls(calls);
}

void Coordinator::ReplyToHeld(SessionId session, const absl::StatusOr<AcquireOutput>& reply,
                              Calls& calls) {
  std::optional<Waiter> waiter = waiters_.Take(session);
  if (!waiter) return;
  calls.push_back([done = std::move(waiter->done), reply] { done(reply); });
}

std::vector<RunId> Coordinator::AvailableRuns() const {
  std::vector<RunId> available;
  for (const auto& [id, run] : runs_) {
    if (run.state.Available() > 0) available.push_back(id);
  }
  return available;
}

void Coordinator::ServeWaiters(Calls& calls) {
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
    // What was there is gone, or has failed with this worker time after time.
    AcquireOutput nothing;
    nothing.retry = kAskAgain;
    calls.push_back([done = std::move(waiter.done), nothing] { done(nothing); });
  }
  // Then games that are to be played again, by whoever may; most may, so few have to be asked.
  for (const auto& [id, run] : runs_) {
    if (run.verification.waiting() == 0) continue;
    for (const SessionId session : waiters_.Of(id, kMostAsked)) {
      if (!HasCopies(run, *sessions_.Find(session))) continue;
      Waiter waiter = *waiters_.Take(session);
      if (TryGrant(waiter.input, waiter.done, calls) > 0) continue;
      calls.push_back([done = std::move(waiter.done)] { done(AcquireOutput()); });
    }
  }
}

uint32_t Coordinator::TryGrant(const AcquireInput& input, const AcquireDone& done, Calls& calls) {
  Granting granting{.input = input};
  if (!GrantSome(granting)) return 0;
  const uint32_t slots = granting.slots;
  WriteAndHandOut(std::move(granting), done, calls);
  return slots;
}

bool Coordinator::GrantSome(Granting& granting) {
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
      const uint32_t least = HasCopies(run, session) ? 1 : 0;
      if (run.state.HasNothingFor(session.worker) && least == 0) continue;
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
      if (slots > 0 && (run.state.Available(session.kinds) > 0 || HasCopies(run, session)))
        open.push_back(id);
    }
    const RunId id = shares_.Next(open);
    if (id == 0) break;
    Run& run = runs_.at(id);
    const LeasePace pace = PaceOf(run, session);
    const uint32_t most =
        std::min({want - granting.slots, room[id], pace.LeaseSlots(), options_.slots_per_lease});
    LeaseGrant grant;
    grant.lease = marks_.lease++;
    grant.run = id;
    grant.slots = PlanSlots(run, session, grant.lease, most);
    if (grant.slots.empty()) {
      FollowUp(run, /*changed=*/true);  // no line is left: the run may say why it waits
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
    grant.most_plies = MostPlies(run.state.spec().play, count);
    shares_.Charge(id, count);
    room[id] -= count;
    granting.slots += count;
    granting.output.ahead = pace.Ahead();
    const auto shared = std::make_shared<const LeaseGrant>(std::move(grant));
    // A fresh id and a lease with slots: Grant has nothing to refuse.
    if (const absl::Status granted = leases_.Grant(shared, now); !granted.ok()) {
      spdlog::error("lease_refused reason=\"{}\"", std::string(granted.message()));
    }
    ledger_.ExpectRow(shared->lease);
    granting.leases.push_back({shared, absl::ToUnixMillis(now)});
    if (!Knows(granting.input, id)) granting.output.runs[id] = PlayOf(run);
  }
  return granting.slots > before;
}

absl::Status Coordinator::WriteLeases(const std::vector<Granted>& leases, Writer::Batch& batch) {
  for (const Granted& lease : leases) {
    const LeaseGrant& grant = *lease.grant;
    RETURN_IF_ERROR(batch.rows.InsertLease(grant, lease.granted_ms));
    for (const PlannedSlot& plan : grant.slots) {
      if (!plan.IsCopy()) continue;
      RETURN_IF_ERROR(batch.rows.InsertCopy(grant.run, {grant.lease, plan.slot.slot}, plan.copy_of,
                                            grant.worker));
    }
  }
  return absl::OkStatus();
}

void Coordinator::WriteAndHandOut(Granting granting, AcquireDone done, Calls& calls) {
  auto leases = std::make_shared<const std::vector<Granted>>(std::move(granting.leases));
  Writer::Job job;
  job.write = [leases](Writer::Batch& batch) { return WriteLeases(*leases, batch); };
  job.done = [this, leases, done, output = std::move(granting.output)](absl::Status status) {
    HandOut(*leases, done, output, std::move(status));
  };
  if (!writer_->Push(std::move(job))) {
    // HandOut takes the mutex: after this call.
    calls.push_back([this, leases, done] { HandOut(*leases, done, {}, QueueFull()); });
  }
}

void Coordinator::HandOut(const std::vector<Granted>& leases, const AcquireDone& done,
                          AcquireOutput output, absl::Status status) {
  if (status.ok()) {
    {
      const std::lock_guard lock(mutex_);
      for (const Granted& lease : leases) {
        const LeaseId id = lease.grant->lease;
        ledger_.RowWritten(id);
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
      ledger_.RowFailed(grant.lease);
      if (!leases_.IsLive(grant.lease)) continue;
      leases_.Cancel(grant.lease);
      Run& run = runs_.at(grant.run);
      run.state.Withdraw(grant.slots);
      LoseCopies(run, grant.slots);
      shares_.Refund(grant.run, static_cast<uint32_t>(grant.slots.size()));
    }
  }
  done(std::move(status));
}

PlaySpec Coordinator::PlayOf(const Run& run) {
  PlaySpec play = run.state.spec().play;
  const Sha256& snapshot = run.state.row().snapshot;
  if (play.re_entry) play.snapshot.assign(snapshot.begin(), snapshot.end());
  return play;
}

LeasePace Coordinator::PaceOf(const Run& run, const Session& session) const {
  return {.game = run.state.mean_game(),
          .limit = TimeByLimits(run.state.spec().play),
          .staged = run.state.staged(),
          .available = run.state.Available(session.kinds),
          .workers = run.servers,
          .seats = session.seats,
          .least_term = options_.lease_term,
          .beat = pressure_.beat()};
}

}  // namespace joseki::coordinator
