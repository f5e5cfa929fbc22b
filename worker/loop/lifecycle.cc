#include "worker/loop/lifecycle.h"

#include <utility>

namespace joseki::worker {

bool Lifecycle::Pause(absl::Duration duration, const std::stop_token& stop) {
  Lock lock = Hold();
  return !Await(lock, duration, [&] { return stop.stop_requested(); });
}

void Lifecycle::Advance(Phase phase) {
  {
    const Lock lock = Hold();
    if (phase <= phase_) return;
    // Set the phase before ending the pauses: a seat that wakes must see that it takes no more
    // work.
    phase_ = phase;
  }
  // Without the lock, which stop callbacks may take.
  for (size_t reached = 0; reached <= static_cast<size_t>(phase); ++reached) {
    reached_[reached].request_stop();
  }
  const Lock lock = Hold();
  Notify();
}

void Lifecycle::Fail(absl::Status status) {
  {
    const Lock lock = Hold();
    if (failure_.ok()) failure_ = std::move(status);
  }
  Advance(Phase::kStop);
}

absl::Status Lifecycle::failure() {
  const Lock lock = Hold();
  return failure_;
}

}  // namespace joseki::worker
