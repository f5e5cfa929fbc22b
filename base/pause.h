#pragma once

#include <condition_variable>
#include <stop_token>

#include "absl/time/time.h"
#include "base/mutex.h"

namespace joseki {

// Sleeps this long, or until `stop`; returns false after `stop`.
inline bool Pause(absl::Duration duration, const std::stop_token& stop) {
  Mutex mutex;  // guards nothing: a condition is the one wait that a token ends
  std::condition_variable_any stopped;
  const ScopedLock lock(mutex);
  stopped.wait_for(mutex, stop, absl::ToChronoMilliseconds(duration), [] { return false; });
  return !stop.stop_requested();
}

}  // namespace joseki
