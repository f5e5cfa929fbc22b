#pragma once

#include <chrono>

#include "absl/time/time.h"
#include "base/clock.h"

namespace joseki {

// The time of another clock when this one was made, and from then on as much more as the machine
// has been running: whoever sets the machine's clock, or puts the machine to sleep, does not move
// it. For how long something takes; what time it is, the other one says.
class SteadyClock final : public Clock {
 public:
  explicit SteadyClock(const Clock& clock) : began_(clock.Now()) {}

  absl::Time Now() const override {
    return began_ + absl::FromChrono(std::chrono::steady_clock::now() - steady_);
  }

 private:
  const absl::Time began_;
  const std::chrono::steady_clock::time_point steady_ = std::chrono::steady_clock::now();
};

}  // namespace joseki
