#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/rng.h"

namespace joseki::worker {

// A number that stands for this worker whatever its process: kept in the file `instance` of its
// spool folder, drawn from `rng` where there is none yet. A worker that is started again has it
// again; another one of the same name has another. Never 0. REQUIRES: the spool's lock is held.
absl::StatusOr<uint64_t> InstanceIn(const std::string& folder, Rng rng);

}  // namespace joseki::worker
