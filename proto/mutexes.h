#pragma once

#include "absl/synchronization/mutex.h"

namespace joseki {

// Turns off Abseil's deadlock detection. gRPC takes Abseil's mutexes many times per call. A libabsl
// built with assertions, as Debian's is, keeps a graph of waiting threads behind one global lock.
// Call first in the main function of a program that uses gRPC.
inline void SpareDeadlockDetection() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

}  // namespace joseki
