#pragma once

#include <mutex>

#include "absl/base/thread_annotations.h"

namespace joseki {

// std::mutex with annotations for clang's -Wthread-safety: what is ABSL_GUARDED_BY a Mutex may be
// touched only where the compiler sees that it is held.
class ABSL_LOCKABLE Mutex {
 public:
  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Holds a Mutex, or another ABSL_LOCKABLE object, until the end of the scope.
template <typename Lockable>
class ABSL_SCOPED_LOCKABLE ScopedLock {
 public:
  explicit ScopedLock(Lockable& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_.lock();
  }
  ~ScopedLock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }
  ScopedLock(const ScopedLock&) = delete;
  ScopedLock& operator=(const ScopedLock&) = delete;

 private:
  Lockable& mutex_;
};

}  // namespace joseki
