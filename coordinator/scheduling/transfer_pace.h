#pragma once

#include <cstdint>
#include <string_view>

#include "absl/time/time.h"
#include "base/hash.h"

// How fast large things leave the coordinator, so that games come first. Pure: time is an argument.
namespace joseki::coordinator {

// A rate for all takers together. What is taken beyond what has flowed in since is owed, and
// whoever takes waits until it is paid back; so takers share the rate in the order in which they
// come.
class TokenBucket {
 public:
  // `per_second` tokens flow in, up to `most` are kept. REQUIRES: both are positive.
  TokenBucket(double per_second, double most, absl::Time now)
      : per_second_(per_second), most_(most), tokens_(most), last_(now) {}

  // How long the taker must wait before it uses what it takes. Time may stand still, not go back.
  absl::Duration Take(double tokens, absl::Time now);

 private:
  const double per_second_;
  const double most_;
  double tokens_;
  absl::Time last_;
};

inline constexpr absl::Duration kLongestStartDelay = absl::Seconds(60);

// When a worker should begin to fetch an artefact that `workers` of them want about now: somewhere
// in the time that all transfers take at `bytes_per_second` (0: no limit, so no delay), the same
// for the same worker and artefact.
absl::Duration StartDelay(std::string_view worker, const Sha256& artefact, uint64_t size,
                          uint64_t workers, double bytes_per_second);

}  // namespace joseki::coordinator
