#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

#include "absl/base/thread_annotations.h"

namespace joseki::coordinator {

// A mutex whose owner can let others have it in the middle of long work. Unlocking and locking
// again is not enough: a woken thread takes some microseconds to run, and would find the mutex
// locked again.
class ABSL_LOCKABLE TableMutex {
 public:
  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    mutex_.lock();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    turns_.fetch_add(1, std::memory_order_relaxed);
  }
  void unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

  // Whether a thread waits for the mutex.
  bool contended() const { return waiting_.load(std::memory_order_relaxed) > 0; }

  // If threads wait, returns once one of them has had the mutex. REQUIRES: locked by this thread.
  // The guarded state may have changed afterwards.
  void LetOthers() ABSL_EXCLUSIVE_LOCKS_REQUIRED(this) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    if (!contended()) return;
    const uint64_t turns = turns_.load(std::memory_order_relaxed);
    mutex_.unlock();
    while (turns_.load(std::memory_order_relaxed) == turns && contended()) {
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    }
    lock();
  }

 private:
  std::mutex mutex_;
  std::atomic<uint32_t> waiting_ = 0;
  std::atomic<uint64_t> turns_ = 0;  // number of times it was locked
};

}  // namespace joseki::coordinator
