#include "worker/loop/beat.h"

#include <algorithm>
#include <span>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/limits.h"
#include "worker/loop/words.h"

namespace joseki::worker {
namespace {

void AbandonLease(LoopShared& shared, LeaseId lease) {
  bool held = false;
  {
    const Lifecycle::Lock lock = shared.life.Hold();
    held = shared.leases.Abandon(lease);
    shared.life.Notify();
  }
  if (held) shared.log(LogLevel::kInfo, absl::StrCat("abandoned lease=", lease));
}

}  // namespace

void Beat(LoopShared& shared, Membership& membership) {
  const std::stop_token stop = shared.life.At(Phase::kStop);
  for (;;) {
    const absl::StatusOr<Session> session = membership.Current(stop);
    if (!session.ok()) return;  // stopped or refused
    if (!shared.life.Pause(session->beat, stop)) return;
    std::vector<LeaseProgress> progress;
    {
      const Lifecycle::Lock lock = shared.life.Hold();
      progress = shared.leases.Progress();
      // A held Acquire already shows that this worker is alive.
      if (progress.empty() && shared.requests.open()) continue;
    }
    std::span<const LeaseProgress> rest = progress;
    do {
      const auto part = rest.subspan(0, std::min(rest.size(), kMaxBeatLeases));
      rest = rest.subspan(part.size());
      const absl::StatusOr<BeatOutput> reply =
          shared.port.Beat(session->session, {part, shared.meter.Read()}, stop);
      if (!reply.ok()) {
        // The next beat is the retry.
        if (!membership.Forget(session->session, reply.status())) {
          shared.log(LogLevel::kDebug, absl::StrCat("beat_failed ", Why(reply.status())));
        }
        break;
      }
      membership.Adjust(session->session, *reply);
      for (const LeaseId lease : reply->cancelled) AbandonLease(shared, lease);
      if (reply->drain) shared.life.Advance(Phase::kFinishHeld);
    } while (!rest.empty());
  }
}

}  // namespace joseki::worker
