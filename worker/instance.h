#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/rng.h"

namespace joseki::worker {

// A number that identifies this worker across its processes. The file `instance` of the spool
// folder keeps it; it is drawn from `rng` if the file is missing. A restarted worker has the same
// number, another worker of the same name a different one. Never 0. REQUIRES: the spool's lock is
// held.
absl::StatusOr<uint64_t> InstanceIn(const std::string& folder, Rng rng);

}  // namespace joseki::worker
