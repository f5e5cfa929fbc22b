#include "worker/work_loop.h"

#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "worker/loop/beat.h"
#include "worker/loop/seat.h"
#include "worker/loop/words.h"

namespace joseki::worker {

WorkLoop::WorkLoop(Options options, RulesFinder rules_of, PlayerFactory make_player,
                   CoordinatorPort& port, Spool& spool, LogSink log, BookProvider books)
    : shared_{.options = std::move(options),
              .rules_of = std::move(rules_of),
              .make_player = std::move(make_player),
              .books = std::move(books),
              .log = std::move(log),
              .port = port,
              .spool = spool},
      membership_(shared_, [this](const Session& session) { fetcher_.Enter(session); }),
      fetcher_(shared_, membership_),
      outbox_(shared_, membership_, fetcher_) {}

absl::Status WorkLoop::Run() {
  {
    const Lifecycle::Lock lock = shared_.life.Hold();
    shared_.requests.NoteWork(shared_.clock.Now());
  }
  std::thread fetch([this] { fetcher_.Run(); });
  std::thread submit([this] { outbox_.Run(); });
  std::thread beat([this] { Beat(shared_, membership_); });
  std::vector<std::thread> seats;
  for (size_t seat = 0; seat < shared_.options.join.seats; ++seat) {
    seats.emplace_back([this, seat] { Seat(shared_, outbox_, seat).Run(); });
  }

  AwaitDrain();
  AwaitGames();
  fetch.join();
  for (std::thread& seat : seats) seat.join();
  Leave();
  const bool interrupted = shared_.life.At(Phase::kStop).stop_requested();
  shared_.life.Advance(Phase::kStop);
  submit.join();
  beat.join();

  const absl::Status synced = shared_.spool.Sync();
  if (const absl::Status failure = shared_.life.failure(); !failure.ok()) return failure;
  if (const size_t pending = shared_.spool.pending(); pending > 0) {
    if (!synced.ok()) return synced;
    return absl::UnavailableError(absl::StrCat(pending, " games wait in the spool"));
  }
  return interrupted ? absl::CancelledError("interrupted") : absl::OkStatus();
}

void WorkLoop::AwaitDrain() {
  Lifecycle::Lock lock = shared_.life.Hold();
  while (shared_.life.phase() == Phase::kWork) {
    const absl::Duration left =
        shared_.options.exit_when_idle - shared_.requests.WaitsFor(shared_.clock.Now());
    if (left > absl::ZeroDuration()) {
      shared_.life.AwaitChange(lock, left);
      continue;
    }
    lock.unlock();
    shared_.log(LogLevel::kInfo, kDrainingIdle);
    shared_.life.Advance(Phase::kFinishHeld);
    lock.lock();
  }
}

void WorkLoop::AwaitGames() {
  Lifecycle& life = shared_.life;
  const HeldLeases& leases = shared_.leases;
  {
    Lifecycle::Lock lock = life.Hold();
    life.Await(lock, [&] { return life.phase() != Phase::kFinishHeld || leases.empty(); });
    life.Await(lock, shared_.options.drain_grace,
               [&] { return life.phase() == Phase::kStop || leases.playing() == 0; });
  }
  // Also wakes seats that wait for work.
  life.Advance(Phase::kBreakOff);
}

void WorkLoop::Leave() {
  Lifecycle& life = shared_.life;
  std::vector<SlotRef> unplayed;
  std::optional<Session> session;
  {
    Lifecycle::Lock lock = life.Hold();
    life.Await(lock, shared_.options.flush_grace,
               [&] { return life.phase() == Phase::kStop || shared_.spool.pending() == 0; });
    if (life.phase() == Phase::kStop) return;
    session = membership_.session();
    unplayed = shared_.leases.TakeUnplayed();
  }
  if (!session) return;
  const absl::Status left = shared_.port.Leave(session->session, unplayed, life.At(Phase::kStop));
  shared_.log(left.ok() ? LogLevel::kInfo : LogLevel::kWarning,
              absl::StrCat("left session=", session->session, " unplayed=", unplayed.size(),
                           left.ok() ? "" : " " + Why(left)));
}

}  // namespace joseki::worker
