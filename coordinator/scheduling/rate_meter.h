#pragma once

#include <array>
#include <cstdint>

#include "absl/time/time.h"

namespace joseki::coordinator {

// Events per second over the last minute, in 60 buckets of a second. Time is an argument and never
// goes backwards. Not thread-safe.
class RateMeter {
 public:
  void Add(absl::Time now, uint64_t events) {
    Bucket& bucket = buckets_[IndexOf(now)];
    const int64_t second = absl::ToUnixSeconds(now);
    if (bucket.second != second) bucket = {second, 0};
    bucket.events += events;
    if (first_ == 0) first_ = second;
  }
  double PerSecond(absl::Time now) const {
    const int64_t second = absl::ToUnixSeconds(now);
    uint64_t sum = 0;
    for (const Bucket& bucket : buckets_) {
      if (bucket.second > second - kSeconds && bucket.second <= second) sum += bucket.events;
    }
    if (first_ == 0) return 0;
    const int64_t span = second - first_ + 1;
    return static_cast<double>(sum) / static_cast<double>(span < kSeconds ? span : kSeconds);
  }

 private:
  static constexpr int64_t kSeconds = 60;
  struct Bucket {
    int64_t second = 0;
    uint64_t events = 0;
  };
  static size_t IndexOf(absl::Time now) {
    return static_cast<size_t>(((absl::ToUnixSeconds(now) % kSeconds) + kSeconds) % kSeconds);
  }

  std::array<Bucket, kSeconds> buckets_{};
  int64_t first_ = 0;
};

}  // namespace joseki::coordinator
