#include "worker/work_loop.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "worker/work_loop_words.h"

namespace joseki::worker {
namespace {

// Whether a refusal is final: the same Join would fail again.
bool IsRefusal(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnimplemented:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Mistrust::IsFinal(const absl::Status& status) {
  times_ = ProblemOf(status).code == "coordinator_not_trusted" ? times_ + 1 : 0;
  return times_ >= kMost;
}

WorkLoop::WorkLoop(Options options, RulesFinder rules_of, PlayerFactory make_player,
                   CoordinatorPort& port, Spool& spool, LogSink log, BookProvider books)
    : options_(std::move(options)),
      rules_of_(std::move(rules_of)),
      make_player_(std::move(make_player)),
      port_(port),
      spool_(spool),
      log_(std::move(log)),
      books_(std::move(books)),
      meter_(options_.join.seats),
      seats_(options_.join.seats) {}

absl::Status WorkLoop::Run() {
  {
    const std::lock_guard lock(mutex_);
    worked_ = absl::Now();
  }
  std::thread fetch([this] { FetchLoop(); });
  std::thread submit([this] { SubmitLoop(); });
  std::thread beat([this] { BeatLoop(); });
  std::vector<std::thread> seats;
  for (size_t seat = 0; seat < seats_.size(); ++seat) {
    seats.emplace_back([this, seat] { SeatLoop(seat); });
  }

  std::optional<Session> session;
  std::vector<SlotRef> unplayed;
  {
    std::unique_lock lock(mutex_);
    WaitWhileThereIsWork(lock);
    changed_.wait(lock, [&] { return mode_ != Mode::kFinishHeld || held_leases_.empty(); });
    for (const SlotRef& slot : held_leases_.TakeWaiting()) unplayed_.push_back(slot);
    changed_.wait_for(lock, Nanoseconds(options_.drain_grace),
                      [&] { return mode_ == Mode::kStop || held_leases_.playing() == 0; });
    breaking_off_ = true;
    StopPlayers();
    // The seats' threads must not wait for work that will not come.
    mode_ = std::max(mode_, Mode::kFinishPlaying);
    changed_.notify_all();
  }
  fetch.join();
  for (std::thread& seat : seats) seat.join();
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, Nanoseconds(options_.flush_grace),
                      [&] { return mode_ == Mode::kStop || spool_.pending() == 0; });
    for (const SlotRef& slot : held_leases_.TakeWaiting()) unplayed_.push_back(slot);
    unplayed = unplayed_;
    if (mode_ != Mode::kStop) session = session_;
  }
  if (session) {
    const absl::Status left = port_.Leave(session->session, unplayed, stop_.get_token());
    log_(left.ok() ? LogLevel::kInfo : LogLevel::kWarning,
         absl::StrCat("left session=", session->session, " unplayed=", unplayed.size(),
                      left.ok() ? "" : " " + Why(left)));
  }
  stop_.request_stop();
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  submit.join();
  beat.join();

  const absl::Status synced = spool_.Sync();
  const std::lock_guard lock(mutex_);
  if (!failure_.ok()) return failure_;
  if (spool_.pending() > 0) {
    if (!synced.ok()) return synced;
    return absl::UnavailableError(absl::StrCat(spool_.pending(), " games wait in the spool"));
  }
  if (mode_ == Mode::kStop) return absl::CancelledError("interrupted");
  return absl::OkStatus();
}

void WorkLoop::WaitWhileThereIsWork(std::unique_lock<std::mutex>& lock) {
  while (mode_ == Mode::kWork) {
    absl::Duration left = options_.exit_when_idle;
    // The worker is idle only while a call for work is open and no lease is held.
    if (asking_ && held_leases_.empty()) left -= absl::Now() - std::max(worked_, asked_);
    if (left > absl::ZeroDuration()) {
      changed_.wait_for(lock, Nanoseconds(left));
      continue;
    }
    lock.unlock();
    log_(LogLevel::kInfo, kDrainingIdle);
    Advance(Mode::kFinishHeld);
    lock.lock();
  }
}

void WorkLoop::Drain() { Advance(Mode::kFinishPlaying); }

void WorkLoop::Interrupt() { Advance(Mode::kStop); }

void WorkLoop::Advance(Mode mode) {
  {
    const std::lock_guard lock(mutex_);
    if (mode <= mode_) return;
    // Set the mode before ending the pauses: a slot that wakes must see that it takes no more work.
    mode_ = mode;
    if (mode == Mode::kStop) {
      breaking_off_ = true;
      StopPlayers();
    }
  }
  // Without the mutex, which stop callbacks may take.
  fetch_stop_.request_stop();
  if (mode == Mode::kStop) stop_.request_stop();
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void WorkLoop::Fail(absl::Status status) {
  log_(LogLevel::kError, absl::StrCat("refused ", Why(status)));
  {
    const std::lock_guard lock(mutex_);
    if (failure_.ok()) failure_ = std::move(status);
  }
  Advance(Mode::kStop);
}

bool WorkLoop::Pause(absl::Duration duration, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, Nanoseconds(duration), [&] { return stop.stop_requested(); });
}

bool WorkLoop::PauseAfter(const absl::Status& status, absl::Duration wait,
                          const std::stop_token& stop) {
  // An error that names a retry time comes from a live coordinator that knows this worker. A new
  // session is then no reason to retry sooner.
  const bool obey = RetryAfterOf(status).has_value();
  std::unique_lock lock(mutex_);
  const uint64_t joins = joins_;
  changed_.wait_for(lock, Nanoseconds(wait),
                    [&] { return stop.stop_requested() || (!obey && joins_ != joins); });
  return !stop.stop_requested();
}

absl::Duration WorkLoop::WaitAfter(const absl::Status& status, Backoff& backoff, Rng& rng) {
  const absl::Duration wait = backoff.Next();
  const std::optional<absl::Duration> asked = RetryAfterOf(status);
  return asked ? std::max(wait, *asked * (1.0 + rng.Unit() / 4)) : wait;
}

// ---- The session ----

absl::StatusOr<Session> WorkLoop::CurrentSession(std::stop_token stop) {
  absl::Duration spread;
  {
    std::unique_lock lock(mutex_);
    // A draining worker must not wait for another thread's Join.
    changed_.wait(lock, [&] { return stop.stop_requested() || session_ || !joining_; });
    if (session_) return *session_;
    if (stop.stop_requested()) return absl::CancelledError("stopped");
    joining_ = true;
    if (std::exchange(lost_session_, false)) spread = spread_;
  }
  absl::StatusOr<Session> session = Join(spread, stop);
  const std::lock_guard lock(mutex_);
  joining_ = false;
  changed_.notify_all();
  return session;
}

absl::StatusOr<Session> WorkLoop::Join(absl::Duration spread, const std::stop_token& stop) {
  Backoff backoff(options_.backoff, Rng(options_.seed).Split(1));
  Rng rng = Rng(options_.seed).Split(5);
  Mistrust mistrust;
  std::string said;
  // Spread the Joins of all workers after a coordinator's restart.
  const Rng place(Hash64(options_.join.worker));
  if (spread > absl::ZeroDuration() && !Pause(spread * Rng(place).Unit(), stop)) {
    return absl::CancelledError("stopped");
  }
  for (;;) {
    if (stop.stop_requested()) return absl::CancelledError("stopped");
    const absl::StatusOr<Session> session = port_.Join(options_.join, stop);
    if (session.ok()) {
      Adopt(*session);
      return session;
    }
    if (absl::IsCancelled(session.status()) && stop.stop_requested()) return session.status();
    if (IsRefusal(session.status()) || mistrust.IsFinal(session.status())) {
      Fail(session.status());
      return session.status();
    }
    const absl::Duration wait = WaitAfter(session.status(), backoff, rng);
    // Log a repeated reason at debug level only.
    std::string why = Why(session.status());
    log_(why == said ? LogLevel::kDebug : LogLevel::kWarning,
         absl::StrCat("join_failed wait_ms=", absl::ToInt64Milliseconds(wait), " ", why));
    said = std::move(why);
    if (!Pause(wait, stop)) return absl::CancelledError("stopped");
  }
}

void WorkLoop::Adopt(const Session& session) {
  log_(LogLevel::kInfo, absl::StrCat("joined session=", session.session, " epoch=", session.epoch));
  const std::lock_guard lock(mutex_);
  if (session.epoch != epoch_) {
    // A new epoch is another database, whose leases and runs are unrelated even with equal numbers.
    held_leases_.AbandonAll();
    StopPlayers();
    runs_.clear();
    unplayed_.clear();
    newest_lease_ = 0;
    epoch_ = session.epoch;
  }
  session_ = session;
  ++joins_;
  beat_.reset();
  spread_ = session.spread;
  backlog_ = spool_.pending() > 0;
  changed_.notify_all();
}

bool WorkLoop::Forget(SessionId session, const absl::Status& status) {
  const bool unknown =
      absl::IsFailedPrecondition(status) && ProblemOf(status).code == "unknown_session";
  // Rights may have been revoked: join again, so that the refusal ends the worker.
  const bool no_rights = absl::IsPermissionDenied(status) || absl::IsUnauthenticated(status);
  if (!unknown && !no_rights) return false;
  const std::lock_guard lock(mutex_);
  if (session_ && session_->session == session) {
    session_.reset();
    lost_session_ = true;
  }
  return true;
}

}  // namespace joseki::worker
