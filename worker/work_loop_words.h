#pragma once

#include <algorithm>
#include <chrono>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/problem.h"
#include "worker/coordinator_port.h"

// Messages and waits that the parts of the work loop share.
namespace joseki::worker {

inline constexpr char kDrainingIdle[] = "draining reason=idle";

inline std::string SlotText(RunId run, LeaseId lease, uint32_t slot) {
  return absl::StrCat("run=", run, " lease=", lease, " slot=", slot);
}
inline std::string SlotText(const FinishedGame& game) {
  return SlotText(game.run, game.lease, game.slot);
}

inline std::string Why(const absl::Status& status) {
  // Leave out the payload, whose bytes are for programs.
  return absl::StrCat("error=",
                      Quote(status.ToString(absl::StatusToStringMode::kWithNoExtraData), 300));
}

inline std::chrono::nanoseconds Nanoseconds(absl::Duration duration) {
  // Longer waits would overflow the clock's arithmetic.
  return absl::ToChronoNanoseconds(std::min(duration, absl::Hours(24)));
}

}  // namespace joseki::worker
