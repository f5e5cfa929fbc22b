#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace joseki::cli {

// A histogram of durations with buckets 1.6 % wide: percentiles of millions of calls in 16 KiB. Not
// thread-safe: keep one per thread and add them up.
class Latencies {
 public:
  void Add(absl::Duration duration) {
    const int64_t us = absl::ToInt64Microseconds(duration);
    ++buckets_[BucketOf(us < 0 ? 0 : static_cast<uint64_t>(us))];
    ++count_;
  }
  void Add(const Latencies& other) {
    for (size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
    count_ += other.count_;
  }

  uint64_t count() const { return count_; }
  // The smallest time in ms within which `share` (0 to 1) of the calls ended; 0 without calls.
  double Percentile(double share) const {
    if (count_ == 0) return 0;
    const auto wanted = static_cast<uint64_t>(share * static_cast<double>(count_ - 1)) + 1;
    uint64_t seen = 0;
    for (size_t i = 0; i < buckets_.size(); ++i) {
      seen += buckets_[i];
      if (seen >= wanted) return static_cast<double>(UpperEdge(i)) / 1000;
    }
    return static_cast<double>(UpperEdge(buckets_.size() - 1)) / 1000;
  }

 private:
  // Each power of two has 64 buckets; below 64 us each microsecond has its own.
  static constexpr int kBits = 6;
  static constexpr size_t kSteps = size_t{1} << kBits;

  static size_t BucketOf(uint64_t us) {
    if (us < kSteps) return us;
    const int shift = static_cast<int>(std::bit_width(us)) - 1 - kBits;
    const size_t bucket = (static_cast<size_t>(shift) + 1) * kSteps + ((us >> shift) - kSteps);
    return bucket < kBuckets ? bucket : kBuckets - 1;
  }
  static uint64_t UpperEdge(size_t bucket) {
    if (bucket < kSteps) return bucket;
    const size_t shift = bucket / kSteps - 1;
    return ((kSteps + bucket % kSteps + 1) << shift) - 1;
  }

  static constexpr size_t kBuckets = 32 * kSteps;  // up to some hours
  std::array<uint64_t, kBuckets> buckets_{};
  uint64_t count_ = 0;
};

}  // namespace joseki::cli
