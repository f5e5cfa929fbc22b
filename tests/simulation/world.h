#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"

namespace joseki::testing {

// Time and order of a simulation. Events run one after another on one thread, simultaneous ones in
// the order of their requests. Everything that happens is reported to Trace; two simulations of one
// seed must report the same.
class World final : public Clock {
 public:
  explicit World(uint64_t seed) : rng(seed) {}

  absl::Time Now() const override { return absl::FromUnixMicros(now_us_); }
  double seconds() const { return static_cast<double>(now_us_ - kStartUs) * 1e-6; }

  void After(absl::Duration delay, std::function<void()> what) {
    // Rounded up, so that no waiter wakes too early.
    const int64_t us = absl::ToInt64Microseconds(absl::Ceil(delay, absl::Microseconds(1)));
    events_.push({now_us_ + std::max<int64_t>(us, 0), next_++, std::move(what)});
  }
  // Runs the next event; false if there is none.
  bool Step() {
    if (events_.empty()) return false;
    // The queue returns constants, but the event is popped right after the move.
    Event event = std::move(const_cast<Event&>(events_.top()));
    events_.pop();
    now_us_ = event.at_us;
    event.what();
    return true;
  }

  template <typename... Words>
  void Trace(const Words&... words) {
    const std::string line = absl::StrCat(now_us_ - kStartUs, " ", words...);
    trace_ = Hash64(absl::StrCat(absl::Hex(trace_), line));
    if (print) print(line);
  }
  uint64_t trace() const { return trace_; }

  bool Chance(double probability) { return rng.Unit() < probability; }
  absl::Duration Between(absl::Duration low, absl::Duration high) {
    return low + (high - low) * rng.Unit();
  }

  Rng rng;
  std::function<void(const std::string&)> print;

 private:
  struct Event {
    int64_t at_us = 0;
    uint64_t order = 0;
    std::function<void()> what;
    bool operator<(const Event& other) const {  // reversed, for std::priority_queue
      return std::pair(other.at_us, other.order) < std::pair(at_us, order);
    }
  };
  static constexpr int64_t kStartUs = 1'000'000'000'000;

  int64_t now_us_ = kStartUs;
  uint64_t next_ = 0;
  uint64_t trace_ = 0;
  std::priority_queue<Event> events_;
};

}  // namespace joseki::testing
