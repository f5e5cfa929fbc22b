#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "worker/coordinator_port.h"
#include "worker/loop/held_leases.h"

// Messages that the parts of the work loop share.
namespace joseki::worker {

inline constexpr char kDrainingIdle[] = "draining reason=idle";

inline std::string SlotText(RunId run, LeaseId lease, uint32_t slot) {
  return absl::StrCat("run=", run, " lease=", lease, " slot=", slot);
}
inline std::string SlotText(const FinishedGame& game) {
  return SlotText(game.run, game.lease, game.slot);
}
inline std::string SlotText(const Assignment& assignment) {
  return SlotText(assignment.run, assignment.lease, assignment.slot.slot);
}

inline std::string Why(const absl::Status& status) {
  // Leave out the payload, whose bytes are for programs.
  return absl::StrCat("error=",
                      Quote(status.ToString(absl::StatusToStringMode::kWithNoExtraData), 300));
}

}  // namespace joseki::worker
