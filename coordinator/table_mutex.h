#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

#include "absl/base/thread_annotations.h"

namespace joseki::coordinator {

// A mutex whose owner, in the middle of something long, can let the others have it. Unlocking and
// locking again is not enough. A woken thread needs some microseconds to come, and would find it
// locked again for as long as the owner goes on.
class ABSL_LOCKABLE TableMutex {
 public:
  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    mutex_.lock();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    turns_.fetch_add(1, std::memory_order_relaxed);
  }
  void unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

  // Whether somebody waits for it.
  bool contended() const { return waiting_.load(std::memory_order_relaxed) > 0; }

  // If somebody waits, comes back when one of them has had it. REQUIRES: locked by this thread.
  // The guarded state may be another afterwards.
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
  std::atomic<uint64_t> turns_ = 0;  // how often it was locked
};

}  // namespace joseki::coordinator
