#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace joseki {

// Settings of a child process: in a process group of its own (its number is the child's), with no
// signal blocked and nothing open but the three descriptors.
struct SpawnOptions {
  std::vector<std::string> arguments;  // [0] is the program's path; PATH is not searched
  std::string folder;                  // where it works; empty: where we do
  int input = -1;                      // what it has as 0, 1 and 2; ours stay open
  int output = -1;
  int error = -1;
  // The signal that it gets if the calling thread ends first, killed or not: call from a thread
  // that outlives the child.
  int death_signal = 0;
  std::vector<int> cores;     // the only ones it runs on; empty: ours
  uint64_t memory_bytes = 0;  // of data; more is refused to it; 0: no limit of our own
};

// Starts the program and returns when it runs; the caller waits for it (waitpid). NotFound,
// PermissionDenied or another code with the path in its problem if it cannot be started. Any
// thread. Every descriptor of ours must be close-on-exec, or the child would have it too.
absl::StatusOr<pid_t> Spawn(const SpawnOptions& options);

}  // namespace joseki
