#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/rng.h"

namespace joseki::worker {

// A number that identifies this worker over its processes: kept in the file `instance` of its spool
// folder, drawn from `rng` if there is none yet. A restarted worker has it again; another one of
// the same name has another. Never 0. REQUIRES: the spool's lock is held.
absl::StatusOr<uint64_t> InstanceIn(const std::string& folder, Rng rng);

}  // namespace joseki::worker
