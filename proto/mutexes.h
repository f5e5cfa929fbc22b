#pragma once

#include "absl/synchronization/mutex.h"

namespace joseki {

// Call first in the main function of a program that speaks gRPC. gRPC takes Abseil's mutexes many
// times a call. A libabsl that was built with assertions, as Debian's is, keeps a graph of waiting
// threads behind one lock of the process, to find deadlocks.
inline void SpareDeadlockDetection() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

}  // namespace joseki
