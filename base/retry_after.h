#pragma once

#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace joseki {

// `status` with a request to wait for `delay` before a retry (whole milliseconds, at least one). A
// Problem that it carries stays. REQUIRES: !status.ok().
absl::Status WithRetryAfter(absl::Status status, absl::Duration delay);

// The delay that `status` asks for; nullopt: none.
std::optional<absl::Duration> RetryAfterOf(const absl::Status& status);

}  // namespace joseki
