// Work in: what is asked for, and when.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/backoff.h"
#include "base/rng.h"
#include "proto/limits.h"
#include "worker/work_loop.h"
#include "worker/work_loop_words.h"

namespace joseki::worker {

size_t WorkLoop::Wanted() const {
  if (!room_.ok() || asking_ || mode_ != Mode::kWork) return 0;
  // The number of games kept ready so that no seat waits for a reply; a quarter of the seats if the
  // coordinator names none. More are requested when half of them are gone.
  const size_t seats = seats_.size();
  const size_t ahead = ahead_ > 0 ? ahead_ : (seats + 3) / 4;
  const size_t have = held_leases_.waiting() + held_leases_.playing();
  return have > seats + ahead / 2 ? 0 : std::min<size_t>(seats + ahead - have, kMaxSlotsPerWorker);
}

bool WorkLoop::MayFetch() const {
  if (Wanted() == 0 || backlog_) return false;
  // Leave the request to Submit while a game waits there, unless a seat needs a slot before.
  return held_leases_.waiting() == 0 || spool_.pending() == 0;
}

AcquireInput WorkLoop::Ask() {
  const std::lock_guard lock(mutex_);
  AcquireInput input;
  input.want_slots = static_cast<uint32_t>(Wanted());
  if (input.want_slots == 0) return input;
  asking_ = true;
  asked_ = absl::Now();
  input.after_lease = newest_lease_;
  for (const auto& [run, unused] : runs_) {
    if (input.known_runs.size() < kMaxKnownRuns) input.known_runs.push_back(run);
  }
  return input;
}

absl::Duration WorkLoop::IdleFor() {
  const std::lock_guard lock(mutex_);
  return held_leases_.empty() ? absl::Now() - worked_ : absl::ZeroDuration();
}

void WorkLoop::EndAsking() {
  const std::lock_guard lock(mutex_);
  asking_ = false;
  changed_.notify_all();
}

void WorkLoop::FetchLoop() {
  const std::stop_token stop = fetch_stop_.get_token();
  Backoff backoff(options_.backoff, Rng(options_.seed).Split(2));
  Rng rng = Rng(options_.seed).Split(3);
  for (;;) {
    // Get the session first: after a new one the spool's games go before.
    const absl::StatusOr<Session> session = CurrentSession(stop);
    if (!session.ok()) return;  // stopped or refused
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return mode_ != Mode::kWork || !session_ || MayFetch(); });
      if (mode_ != Mode::kWork) return;
      if (!session_) continue;
    }
    const AcquireInput input = Ask();
    if (input.want_slots == 0) continue;
    absl::StatusOr<AcquireOutput> work = port_.Acquire(*session, input, stop);
    if (!work.ok()) {
      EndAsking();
      if (stop.stop_requested()) return;
      if (Forget(session->session, work.status())) continue;
      const absl::Duration wait = WaitAfter(work.status(), backoff, rng);
      log_(LogLevel::kWarning,
           absl::StrCat("acquire_failed wait_ms=", absl::ToInt64Milliseconds(wait), " ",
                        Why(work.status())));
      if (!PauseAfter(work.status(), wait, stop)) return;
      continue;
    }
    backoff.Reset();
    const bool drain = work->drain;
    const bool idle = work->leases.empty();
    const absl::Duration retry = work->retry;
    TakeWork(*session, *std::move(work));
    EndAsking();
    if (drain || IdleFor() >= options_.exit_when_idle) {
      log_(LogLevel::kInfo, drain ? "draining reason=coordinator" : kDrainingIdle);
      Advance(Mode::kFinishHeld);
      return;
    }
    // Jitter of up to half the delay, so that workers with simultaneous replies do not return
    // together.
    if (idle && !Pause(retry * (1.0 + rng.Unit() / 2), stop)) return;
  }
}

void WorkLoop::TakeWork(const Session& session, AcquireOutput work) {
  std::vector<LeaseId> unknown;
  {
    const std::lock_guard lock(mutex_);
    if (session.epoch != epoch_) return;  // the worker joined another database meanwhile
    if (!work.leases.empty()) {
      ahead_ = work.ahead;
      worked_ = absl::Now();
    }
    for (auto& [run, play] : work.runs) {
      runs_.try_emplace(run, std::make_shared<const PlaySpec>(std::move(play)));
    }
    for (Lease& lease : work.leases) {
      newest_lease_ = std::max(newest_lease_, lease.lease);
      const auto run = runs_.find(lease.run);
      if (run == runs_.end()) unknown.push_back(lease.lease);
      if (run != runs_.end() && mode_ == Mode::kWork) {
        held_leases_.Add(epoch_, std::move(lease), run->second);
        continue;
      }
      for (const Slot& slot : lease.slots) {
        unplayed_.push_back({.lease = lease.lease, .slot = slot.slot});
      }
    }
    changed_.notify_all();
  }
  for (const LeaseId lease : unknown) {
    log_(LogLevel::kError, absl::StrCat("lease_of_unknown_run lease=", lease));
  }
}

}  // namespace joseki::worker
