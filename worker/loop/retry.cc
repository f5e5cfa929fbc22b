#include "worker/loop/retry.h"

#include <algorithm>
#include <optional>

#include "base/retry_after.h"

namespace joseki::worker {

absl::Duration Retry::WaitAfter(const absl::Status& status) {
  const absl::Duration wait = backoff_.Next();
  const std::optional<absl::Duration> asked = RetryAfterOf(status);
  return asked ? std::max(wait, *asked * (1.0 + rng_.Unit() / 4)) : wait;
}

}  // namespace joseki::worker
