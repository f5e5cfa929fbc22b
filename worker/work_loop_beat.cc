// Signs of life.

#include <algorithm>
#include <span>

#include "absl/strings/str_cat.h"
#include "proto/limits.h"
#include "worker/work_loop.h"
#include "worker/work_loop_words.h"

namespace joseki::worker {

void WorkLoop::BeatLoop() {
  const std::stop_token stop = stop_.get_token();
  for (;;) {
    const absl::StatusOr<Session> session = CurrentSession(stop);
    if (!session.ok()) return;  // stopped or refused
    std::vector<LeaseProgress> progress;
    {
      std::unique_lock lock(mutex_);
      const auto ended = [&] { return done_ || mode_ == Mode::kStop; };
      if (changed_.wait_for(lock, Nanoseconds(beat_.value_or(session->beat)), ended)) return;
      progress = held_leases_.Progress();
      // A held Acquire already shows that this worker is alive.
      if (progress.empty() && asking_) continue;
    }
    std::span<const LeaseProgress> rest = progress;
    do {
      const auto part = rest.subspan(0, std::min(rest.size(), kMaxBeatLeases));
      rest = rest.subspan(part.size());
      const absl::StatusOr<BeatOutput> reply =
          port_.Beat(session->session, {part, meter_.Read()}, stop);
      if (!reply.ok()) {
        // The next beat is the retry.
        if (!Forget(session->session, reply.status())) {
          log_(LogLevel::kDebug, absl::StrCat("beat_failed ", Why(reply.status())));
        }
        break;
      }
      {
        const std::lock_guard lock(mutex_);
        if (reply->beat > absl::ZeroDuration()) beat_ = reply->beat;
        if (reply->spread > absl::ZeroDuration()) spread_ = reply->spread;
      }
      for (const LeaseId lease : reply->cancelled) AbandonLease(lease);
      if (reply->drain) Advance(Mode::kFinishHeld);
    } while (!rest.empty());
  }
}

}  // namespace joseki::worker
