#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/time/time.h"
#include "base/hash.h"

// The pace of large transfers from the coordinator, so that games come first. Pure: time is an
// argument.
namespace joseki::coordinator {

// A rate that all takers share. Tokens taken beyond those that have flowed in are owed, and the
// taker waits until they are paid back. So takers share the rate in the order of their calls.
class TokenBucket {
 public:
  // `per_second` tokens flow in, and up to `most` are kept. REQUIRES: both are positive.
  TokenBucket(double per_second, double most, absl::Time now)
      : per_second_(per_second), most_(most), tokens_(most), last_(now) {}

  // Takes tokens; returns how long to wait before using them. Time may stand still, not go back.
  absl::Duration Take(double tokens, absl::Time now);
  // Gives back tokens that were taken and not used.
  void Return(double tokens) { tokens_ = std::min(most_, tokens_ + tokens); }

 private:
  const double per_second_;
  const double most_;
  double tokens_;
  absl::Time last_;
};

inline constexpr absl::Duration kLongestStartDelay = absl::Seconds(60);

// The delay before a worker begins to fetch an artefact that `workers` of them want about now.
// Delays spread over the time of all transfers at `bytes_per_second` (0: no limit, so no delay),
// and are equal for equal worker and artefact.
absl::Duration StartDelay(std::string_view worker, const Sha256& artefact, uint64_t size,
                          uint64_t workers, double bytes_per_second);

}  // namespace joseki::coordinator
