#pragma once

#include <sys/types.h>

#include <cstdint>

#include "absl/status/statusor.h"

namespace joseki {

// The kernel's figures of a process.
struct ProcessUse {
  double cpu_seconds = 0;       // user and system, of all its threads
  uint64_t resident_bytes = 0;  // currently
  uint64_t most_resident_bytes = 0;
};
// NotFound if there is no such process.
absl::StatusOr<ProcessUse> ProcessUseOf(pid_t pid);

}  // namespace joseki
