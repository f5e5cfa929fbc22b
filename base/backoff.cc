#include "base/backoff.h"

#include <algorithm>

namespace joseki {

absl::Duration Backoff::Next() {
  const absl::Duration wait = ceiling_ * (1.0 - rng_.Unit());
  ceiling_ = std::min(ceiling_ * 2, options_.most);
  return wait;
}

}  // namespace joseki
