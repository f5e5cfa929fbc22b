#include "coordinator/core/grant.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "coordinator/core/ended_leases.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/serving.h"
#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostAsked = 64;  // held calls that are asked whether they may repeat a game
// Bounds on one piece of work under the mutex: some hundred microseconds.
constexpr uint32_t kSlotsAtOnce = 128;
constexpr absl::Duration kAskAgain = absl::Seconds(1);  // if only this worker found no work

bool Knows(const AcquireInput& input, RunId run) {
  return std::find(input.known_runs.begin(), input.known_runs.end(), run) != input.known_runs.end();
}

// The most plies that this many games can have. Pieces of a book that a worker fetches count as
// plies, too.
uint32_t MostPlies(const PlaySpec& play, uint32_t games) {
  constexpr uint64_t kPieces = 100'000;
  const bool books = play.re_entry || play.own_book || play.opponent;
  const uint64_t plies = uint64_t{games} * static_cast<uint64_t>(play.match.max_plies);
  return static_cast<uint32_t>(
      std::min<uint64_t>(plies + (books ? kPieces : 0), std::numeric_limits<uint32_t>::max()));
}

// The time of a search by its limits, with a slow engine.
absl::Duration TimeOfSearch(uint64_t nodes, uint32_t move_ms) {
  constexpr double kSlowNodesPerSecond = 20'000;
  return absl::Milliseconds(move_ms) +
         absl::Seconds(static_cast<double>(nodes) / kSlowNodesPerSecond);
}

// The longest time of a move by its limits.
absl::Duration TimeOfMove(const PlaySpec& play) {
  const absl::Duration own = TimeOfSearch(play.nodes, play.move_ms);
  if (!play.opponent) return own;
  return std::max(own, TimeOfSearch(play.opponent->nodes, play.opponent->move_ms));
}

// The longest time of a game by its limits and those of the match.
absl::Duration TimeByLimits(const PlaySpec& play) {
  return play.match.max_plies * TimeOfMove(play);
}

// The longest time by limits between two plies that a worker reports of the slots.
absl::Duration LongestStep(const PlaySpec& play, const std::vector<PlannedSlot>& slots) {
  absl::Duration longest;
  for (const PlannedSlot& plan : slots) {
    const bool searches = IsSearch(plan.slot.kind) && plan.slot.kind != SlotKind::kTrial;
    longest = std::max(longest, searches ? TimeOfSearch(plan.slot.nodes, 0) : TimeOfMove(play));
  }
  return longest;
}

// The settings that every slot of the run shares, in the form for workers.
PlaySpec PlayOf(const ActiveRun& run) {
  PlaySpec play = run.state.row().spec.play;
  const Sha256& snapshot = run.state.row().snapshot;
  if (play.re_entry) play.snapshot.assign(snapshot.begin(), snapshot.end());
  return play;
}

Lease LeaseOf(const LeaseGrant& grant) {
  Lease lease{grant.lease, grant.run, grant.term, {}};
  lease.slots.reserve(grant.slots.size());
  for (const PlannedSlot& plan : grant.slots) lease.slots.push_back(plan.slot);
  return lease;
}

std::vector<LeaseGrant> LostLeases(const Tables& tables, const Session& session,
                                   const AcquireInput& input) {
  if (!input.after_lease) return {};
  return tables.leases.HandedOutAfter(session.worker, session.process, *input.after_lease);
}

AcquireOutput Again(const Tables& tables, const std::vector<LeaseGrant>& grants,
                    const AcquireInput& input) {
  AcquireOutput output;
  size_t slots = 0;
  for (const LeaseGrant& grant : grants) {
    slots += grant.slots.size();
    if (slots > kMaxSlotsPerWorker) break;  // the rest comes with the next call
    output.leases.push_back(LeaseOf(grant));
    if (!Knows(input, grant.run)) output.runs[grant.run] = PlayOf(tables.runs.at(grant.run));
  }
  return output;
}

// Copies of other workers' games and new slots, interleaved: the worker cannot tell them apart.
std::vector<PlannedSlot> PlanSlots(Tables& tables, ActiveRun& run, const Session& session,
                                   LeaseId lease, uint32_t most) {
  std::vector<Verification::Copy> copies;
  if (HasCopies(tables, run, session)) {
    // Copies are a minority as long as there are other slots.
    const uint32_t share =
        run.state.Available(session.kinds) == 0 ? most : std::max<uint32_t>(1, most / 4);
    copies = run.verification.Take(session.worker, session.id, IsAlone(tables, run, session.worker),
                                   share, session.kinds);
  }
  std::vector<PlannedSlot> slots = run.state.Plan(
      lease, most - static_cast<uint32_t>(copies.size()), session.kinds, session.worker);
  if (copies.empty()) return slots;
  Rng rng = Rng(run.state.row().spec.seed).Split(lease);
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

}  // namespace

std::optional<absl::StatusOr<AcquireOutput>> ReplyAtOnce(Tables& tables,
                                                         const AcquireInput& input) {
  const absl::StatusOr<Session*> session = SessionOf(tables, input.session);
  if (!session.ok()) return session.status();
  AcquireOutput output;
  if (MustDrain(tables, **session)) {
    output.drain = true;
    return output;
  }
  NoteLoad(tables);
  if (tables.serving.pressure.Sheds(Pressure::Level::kNoAcquires)) {
    output.retry = tables.serving.pressure.RetryAfter(tables.serving.rng);
    return output;
  }
  const std::vector<LeaseGrant> lost = LostLeases(tables, **session, input);
  if (!lost.empty()) return Again(tables, lost, input);
  return std::nullopt;
}

bool RepliesAtOnce(const Tables& tables, const AcquireInput& input) {
  const Session* const session = tables.sessions.Find(input.session);
  return tables.holds.stopping || session == nullptr || MustDrain(tables, *session) ||
         tables.serving.pressure.Sheds(Pressure::Level::kNoAcquires) ||
         !LostLeases(tables, *session, input).empty();
}

bool AcquireSome(Tables& tables, Granting& granting, const AcquireDone& done) {
  const SessionId session = granting.input.session;
  if (granting.slots == 0) {
    // One held call per session: the worker has given up on an earlier one.
    ReplyToHeld(tables, session, AcquireOutput());
    if (std::optional<absl::StatusOr<AcquireOutput>> reply = ReplyAtOnce(tables, granting.input)) {
      tables.effects.replies.push_back([done, reply = *std::move(reply)] { done(reply); });
      return false;
    }
  }
  if (GrantSome(tables, granting)) return true;
  if (granting.slots > 0) {
    tables.effects.work.push_back({std::move(granting), done});
  } else {
    const std::vector<RunId> serves = tables.sessions.Find(session)->serves;
    tables.serving.waiters.Add({std::move(granting.input), done}, serves,
                               tables.moment.now + tables.settings.acquire_wait);
  }
  return false;
}

void ReplyToHeld(Tables& tables, SessionId session, const absl::StatusOr<AcquireOutput>& reply) {
  std::optional<Waiter> waiter = tables.serving.waiters.Take(session);
  if (!waiter) return;
  tables.effects.replies.push_back([done = std::move(waiter->done), reply] { done(reply); });
}

bool GrantSome(Tables& tables, Granting& granting) {
  if (!tables.holds.storage.empty() || tables.holds.disk != DiskLevel::kPlenty) return false;
  if (tables.holds.stopping || tables.runs.empty()) return false;
  const Session* const found = tables.sessions.Find(granting.input.session);
  if (found == nullptr) return false;  // it has ended meanwhile
  const Session& session = *found;
  const absl::Time now = tables.moment.now;
  const uint32_t want = std::clamp<uint32_t>(granting.input.want_slots, 1, kMaxSlotsPerWorker);
  std::map<RunId, uint32_t>& room = granting.room;
  if (granting.slots == 0) {
    for (const RunId id : session.serves) {
      const ActiveRun& run = tables.runs.at(id);
      const uint32_t least = HasCopies(tables, run, session) ? 1 : 0;
      if (run.state.lines().IsIdle(session.worker) && least == 0) continue;
      if (run.state.Available(session.kinds) > 0 || least > 0) {
        room[id] = std::max(PaceOf(tables, run, session).Share(), least);
      }
    }
  }
  const uint32_t before = granting.slots;
  std::vector<RunId> open;
  while (granting.slots < want && granting.slots - before < kSlotsAtOnce) {
    open.clear();
    for (const auto& [id, slots] : room) {
      const ActiveRun& run = tables.runs.at(id);
      if (slots > 0 && (run.state.Available(session.kinds) > 0 || HasCopies(tables, run, session)))
        open.push_back(id);
    }
    const RunId id = tables.serving.shares.Next(open);
    if (id == 0) break;
    ActiveRun& run = tables.runs.at(id);
    LeasePace pace = PaceOf(tables, run, session);
    const uint32_t held = tables.leases.OpenSlotsOf(session.worker);
    const uint32_t may_hold = std::max(pace.MostInHand(), held) - held;
    const uint32_t most = std::min({want - granting.slots, room[id], pace.LeaseSlots(),
                                    tables.settings.slots_per_lease, may_hold});
    if (most == 0) {
      room[id] = 0;
      continue;
    }
    LeaseGrant grant;
    grant.lease = tables.marks.lease++;
    grant.run = id;
    grant.slots = PlanSlots(tables, run, session, grant.lease, most);
    if (grant.slots.empty()) {
      tables.TouchRow(id);  // no line is left: the run may note why it waits
      room[id] = 0;
      continue;
    }
    const auto count = static_cast<uint32_t>(grant.slots.size());
    const uint32_t in_hand = held + count;
    grant.worker = session.worker;
    grant.session = session.id;
    grant.process = session.process;
    grant.stage = run.state.row().stage;
    grant.granted_ms = tables.moment.wall_ms;
    grant.step = LongestStep(run.state.row().spec.play, grant.slots);
    pace.step = std::max(pace.step, grant.step);
    grant.term = pace.Term(in_hand);
    grant.patience = pace.Patience(in_hand);
    grant.most_plies = MostPlies(run.state.row().spec.play, count);
    tables.serving.shares.Charge(id, count);
    room[id] -= count;
    granting.slots += count;
    granting.output.ahead = pace.Ahead();
    const auto shared = std::make_shared<const LeaseGrant>(std::move(grant));
    // Grant cannot fail with a new id and a lease with slots.
    if (const absl::Status granted = tables.leases.Grant(shared, now); !granted.ok()) {
      tables.effects.Error("lease_refused reason=\"{}\"", std::string(granted.message()));
    }
    tables.ledger.ExpectRow(shared->lease);
    granting.leases.push_back(shared);
    if (!Knows(granting.input, id)) granting.output.runs[id] = PlayOf(run);
  }
  return granting.slots > before && granting.slots < want;
}

uint32_t TryGrant(Tables& tables, const AcquireInput& input, const AcquireDone& done) {
  Granting granting{.input = input};
  GrantSome(tables, granting);
  const uint32_t slots = granting.slots;
  if (slots == 0) return 0;
  tables.effects.work.push_back({std::move(granting), done});
  return slots;
}

void ServeWaiters(Tables& tables) {
  if (tables.serving.waiters.size() == 0 || !tables.holds.storage.empty() ||
      tables.holds.stopping || tables.holds.disk != DiskLevel::kPlenty ||
      tables.serving.pressure.Sheds(Pressure::Level::kNoAcquires)) {
    return;
  }
  for (uint32_t slots = 0;;) {
    const std::optional<SessionId> first = tables.serving.waiters.First(AvailableRuns(tables));
    if (!first) break;
    if (slots >= kSlotsAtOnce) {
      // Thousands may wait when a stage begins: continue with the next tick.
      tables.effects.again = true;
      return;
    }
    Waiter waiter = *tables.serving.waiters.Take(*first);
    const uint32_t granted = TryGrant(tables, waiter.input, waiter.done);
    slots += granted;
    if (granted > 0) continue;
    // The work is gone, or has repeatedly failed with this worker.
    AcquireOutput nothing;
    nothing.retry = kAskAgain;
    tables.effects.replies.push_back([done = std::move(waiter.done), nothing] { done(nothing); });
    if (!tables.notes.runs.empty()) {
      tables.notes.serve = true;  // the run that has no line left may end: advance it first
      return;
    }
  }
  // Then grant copies. Most workers may play one, so few have to be asked.
  for (const auto& [id, run] : tables.runs) {
    if (run.verification.waiting() == 0) continue;
    for (const SessionId session : tables.serving.waiters.Of(id, kMostAsked)) {
      if (!HasCopies(tables, run, *tables.sessions.Find(session))) continue;
      Waiter waiter = *tables.serving.waiters.Take(session);
      if (TryGrant(tables, waiter.input, waiter.done) > 0) continue;
      tables.effects.replies.push_back([done = std::move(waiter.done)] { done(AcquireOutput()); });
    }
  }
}

std::vector<RunId> AvailableRuns(const Tables& tables) {
  std::vector<RunId> available;
  for (const auto& [id, run] : tables.runs) {
    if (run.state.Available() > 0) available.push_back(id);
  }
  return available;
}

void HandedOut(Tables& tables, const Grants& leases) {
  for (const auto& grant : leases) {
    tables.ledger.RowWritten(grant->lease);
    tables.leases.MarkHandedOut(grant->lease);
  }
}

AcquireOutput WithLeases(const Grants& leases, AcquireOutput output) {
  for (const auto& grant : leases) output.leases.push_back(LeaseOf(*grant));
  return output;
}

absl::Status TakeBack(Tables& tables, const Grants& leases, absl::Status reason) {
  for (const auto& grant : leases) {
    tables.ledger.RowFailed(grant->lease);
    if (!tables.leases.IsLive(grant->lease)) continue;
    tables.leases.Cancel(grant->lease);
    ActiveRun& run = tables.runs.at(grant->run);
    run.state.Withdraw(grant->slots);
    LoseCopies(run, grant->slots);
    tables.serving.shares.Refund(grant->run, static_cast<uint32_t>(grant->slots.size()));
  }
  return Later(tables, std::move(reason));
}

LeasePace PaceOf(const Tables& tables, const ActiveRun& run, const Session& session) {
  return {.game = run.state.evidence().mean_game(),
          .limit = TimeByLimits(run.state.row().spec.play),
          .step = tables.leases.LongestStepOf(session.worker),
          .staged = run.state.book().stages() > 0,
          .available = run.state.Available(session.kinds),
          .workers = tables.servers.Of(run.state.row().run),
          .seats = session.seats,
          .least_term = tables.settings.lease_term,
          .beat = tables.serving.pressure.beat()};
}

}  // namespace joseki::coordinator
