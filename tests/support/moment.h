#pragma once

#include "absl/time/time.h"

namespace joseki::testing {

// A moment for tests that must have one, whichever it is.
inline constexpr absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);

}  // namespace joseki::testing
