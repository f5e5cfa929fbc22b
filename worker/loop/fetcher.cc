#include "worker/loop/fetcher.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "worker/loop/retry.h"
#include "worker/loop/words.h"

namespace joseki::worker {
namespace {

// Streams of the jitter.
constexpr uint64_t kAcquireStream = 2;
constexpr uint64_t kIdleStream = 3;

}  // namespace

void Fetcher::Run() {
  const std::stop_token stop = shared_.life.At(Phase::kFinishHeld);
  Retry retry(shared_.options.backoff, Rng(shared_.options.seed).Split(kAcquireStream));
  Rng rng = Rng(shared_.options.seed).Split(kIdleStream);
  for (;;) {
    // Get the session first: after a new one the spool's games go before.
    const absl::StatusOr<Session> session = membership_.Current(stop);
    if (!session.ok()) return;  // stopped or refused
    {
      Lifecycle::Lock lock = shared_.life.Hold();
      shared_.life.Await(lock, [&] {
        return shared_.life.phase() != Phase::kWork || !membership_.session() || MayAcquire();
      });
      if (shared_.life.phase() != Phase::kWork) return;
      if (!membership_.session()) continue;
    }
    const AcquireInput input = Ask();
    if (input.want_slots == 0) continue;
    absl::StatusOr<AcquireOutput> work = shared_.port.Acquire(*session, input, stop);
    if (!work.ok()) {
      EndAsking();
      if (stop.stop_requested()) return;
      if (membership_.Forget(session->session, work.status())) continue;
      const absl::Duration wait = retry.WaitAfter(work.status());
      shared_.log(LogLevel::kWarning,
                  absl::StrCat("acquire_failed wait_ms=", absl::ToInt64Milliseconds(wait), " ",
                               Why(work.status())));
      if (!membership_.PauseAfter(work.status(), wait, stop)) return;
      continue;
    }
    retry.Reset();
    const bool empty = work->leases.empty();
    const absl::Duration again = work->retry;
    Take(*session, *std::move(work));
    EndAsking();
    if (stop.stop_requested()) return;
    if (IsIdle()) {
      shared_.log(LogLevel::kInfo, kDrainingIdle);
      shared_.life.Advance(Phase::kFinishHeld);
      return;
    }
    // Jitter of up to half the delay, so that workers with simultaneous replies do not return
    // together.
    if (empty && !shared_.life.Pause(again * (1.0 + rng.Unit() / 2), stop)) return;
  }
}

AcquireInput Fetcher::Ask() {
  const Lifecycle::Lock lock = shared_.life.Hold();
  return TakesMore() ? shared_.requests.Open(shared_.clock.Now()) : AcquireInput();
}

void Fetcher::EndAsking() {
  const Lifecycle::Lock lock = shared_.life.Hold();
  shared_.requests.Close();
  shared_.life.Notify();
}

void Fetcher::Take(const Session& session, AcquireOutput work) {
  const bool drain = work.drain;
  std::vector<LeaseId> unknown;
  {
    const Lifecycle::Lock lock = shared_.life.Hold();
    const bool play = shared_.life.phase() == Phase::kWork;
    unknown = shared_.requests.Take(session.epoch, std::move(work), play, shared_.clock.Now());
    shared_.life.Notify();
  }
  for (const LeaseId lease : unknown) {
    shared_.log(LogLevel::kError, absl::StrCat("lease_of_unknown_run lease=", lease));
  }
  if (!drain) return;
  shared_.log(LogLevel::kInfo, "draining reason=coordinator");
  shared_.life.Advance(Phase::kFinishHeld);
}

bool Fetcher::IsIdle() {
  const Lifecycle::Lock lock = shared_.life.Hold();
  return shared_.requests.IdleFor(shared_.clock.Now()) >= shared_.options.exit_when_idle;
}

void Fetcher::Enter(const Session& session) {
  shared_.requests.Enter(session.epoch);
  backlog_ = shared_.spool.pending() > 0;
}

bool Fetcher::TakesMore() const {
  return shared_.life.phase() == Phase::kWork && shared_.spool.Room().ok();
}

bool Fetcher::MayAcquire() const {
  if (!TakesMore() || shared_.requests.Wanted() == 0 || backlog_) return false;
  // Leave the request to Submit while a game waits there, unless a seat needs a slot before.
  return shared_.leases.waiting() == 0 || shared_.spool.pending() == 0;
}

}  // namespace joseki::worker
