#pragma once

#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace joseki {

// `status` with the request to wait this long before a retry (whole milliseconds, at least one); a
// Problem that it carries stays. REQUIRES: !status.ok().
absl::Status WithRetryAfter(absl::Status status, absl::Duration delay);

// The wish that `status` carries.
std::optional<absl::Duration> RetryAfterOf(const absl::Status& status);

}  // namespace joseki
