#pragma once

#include <chrono>

#include "absl/time/time.h"
#include "base/clock.h"

namespace joseki {

// The time of another clock at construction, plus the time that the machine has been running since.
// It is not affected by setting the machine's clock or by suspending the machine. Use it for
// durations, and the other clock for dates.
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
