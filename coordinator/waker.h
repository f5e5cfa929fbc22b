#pragma once

#include <chrono>
#include <condition_variable>
#include <utility>

#include "absl/time/time.h"
#include "base/mutex.h"

namespace joseki::coordinator {

// A place where one thread sleeps until others have work for it. A Wake while it is awake counts
// for its next sleep. Thread-safe.
class Waker {
 public:
  void Wake() {
    {
      const ScopedLock lock(mutex_);
      woken_ = true;
    }
    condition_.notify_one();
  }

  // Whether there was a Wake since the last sleep; the next sleep no longer counts it.
  bool TakeWake() {
    const ScopedLock lock(mutex_);
    return std::exchange(woken_, false);
  }

  // Sleeps until a Wake, or for `longest` by the steady clock.
  void Sleep(absl::Duration longest = absl::InfiniteDuration()) {
    const ScopedLock lock(mutex_);
    if (longest == absl::InfiniteDuration()) {
      while (!woken_) condition_.wait(mutex_);
    } else {
      const auto until = std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(longest);
      while (!woken_ && condition_.wait_until(mutex_, until) == std::cv_status::no_timeout) {
      }
    }
    woken_ = false;
  }

 private:
  Mutex mutex_;
  std::condition_variable_any condition_;
  bool woken_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace joseki::coordinator
