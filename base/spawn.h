#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace joseki {

// Settings of a child process. The child has a process group of its own (with the child's number),
// no signal blocked, and only the three descriptors open.
struct SpawnOptions {
  std::vector<std::string> arguments;  // [0] is the program's path; PATH is not searched
  std::string folder;                  // working directory; empty: ours
  int input = -1;                      // the child's descriptors 0, 1 and 2; ours stay open
  int output = -1;
  int error = -1;
  // The signal sent to the child if the calling thread ends first, killed or not: call from a
  // thread that outlives the child.
  int death_signal = 0;
  std::vector<int> cores;     // the only cores for it; empty: ours
  uint64_t memory_bytes = 0;  // limit of data, beyond which allocations fail; 0: no limit of our
                              // own
};

// Starts the program and returns when it runs; the caller reaps it (waitpid). NotFound,
// PermissionDenied or another code with the path in its problem if it cannot be started. Callable
// from any thread. REQUIRES: our descriptors are close-on-exec, or the child would inherit them.
absl::StatusOr<pid_t> Spawn(const SpawnOptions& options);

}  // namespace joseki
