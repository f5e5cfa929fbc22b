#pragma once

#include "absl/time/time.h"

namespace joseki::testing {

// An arbitrary time, for tests that need one.
inline constexpr absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);

}  // namespace joseki::testing
