#include "coordinator/scheduling/transfer_pace.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/rng.h"

namespace joseki::coordinator {

absl::Duration TokenBucket::Take(double tokens, absl::Time now) {
  const absl::Duration passed = std::max(now - last_, absl::ZeroDuration());
  tokens_ = std::min(most_, tokens_ + absl::ToDoubleSeconds(passed) * per_second_) - tokens;
  last_ = std::max(last_, now);
  return tokens_ >= 0 ? absl::ZeroDuration() : absl::Seconds(-tokens_ / per_second_);
}

absl::Duration StartDelay(std::string_view worker, const Sha256& artefact, uint64_t size,
                          uint64_t workers, double bytes_per_second) {
  // A single worker need not wait.
  if (bytes_per_second <= 0 || workers < 2) return absl::ZeroDuration();
  const double seconds =
      static_cast<double>(size) * static_cast<double>(workers - 1) / bytes_per_second;
  const absl::Duration spread = std::min(absl::Seconds(seconds), kLongestStartDelay);
  Rng rng(Hash64(absl::StrCat(std::string(worker), "\n", Hex(artefact))));
  return spread * rng.Unit();
}

}  // namespace joseki::coordinator
