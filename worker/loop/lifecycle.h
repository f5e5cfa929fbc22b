#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace joseki::worker {

// The phases of a work loop, in order.
enum class Phase {
  kWork,
  kFinishHeld,     // no slot is requested; those held are played
  kFinishPlaying,  // no game is begun
  kBreakOff,       // games in play are aborted
  kStop,           // calls and waits end
};

// The phase of a work loop, and the lock of what its threads share. Thread-safe.
class Lifecycle {
 public:
  using Lock = std::unique_lock<std::mutex>;

  Lock Hold() { return Lock(mutex_); }
  // Ends the waits below whose condition holds. Call it after every change under the lock.
  void Notify() { changed_.notify_all(); }

  // Waits without the lock until `condition` holds. With `most`, no longer than that; returns the
  // condition.
  template <typename Condition>
  void Await(Lock& lock, Condition condition) {
    changed_.wait(lock, condition);
  }
  template <typename Condition>
  bool Await(Lock& lock, absl::Duration most, Condition condition) {
    return changed_.wait_for(lock, Nanoseconds(most), condition);
  }
  // Waits without the lock until Notify, at most this long.
  void AwaitChange(Lock& lock, absl::Duration most) { changed_.wait_for(lock, Nanoseconds(most)); }
  // Waits this long, or until `stop`; returns false after `stop`.
  bool Pause(absl::Duration duration, const std::stop_token& stop);

  // REQUIRES: the lock is held.
  Phase phase() const { return phase_; }
  // Goes on to `phase`. Does nothing if the loop is there already: it never goes back.
  void Advance(Phase phase);
  // A token that is stopped when the loop reaches `phase`.
  std::stop_token At(Phase phase) const { return Source(phase).get_token(); }

  // Stops the loop by an error.
  void Fail(absl::Status status);
  // The first error of Fail.
  absl::Status failure();

 private:
  const std::stop_source& Source(Phase phase) const { return reached_[static_cast<size_t>(phase)]; }
  static std::chrono::nanoseconds Nanoseconds(absl::Duration duration) {
    // Longer waits would overflow the clock's arithmetic.
    return absl::ToChronoNanoseconds(std::min(duration, absl::Hours(24)));
  }

  std::array<std::stop_source, static_cast<size_t>(Phase::kStop) + 1> reached_;  // by phase

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  Phase phase_ = Phase::kWork;
  absl::Status failure_;
};

}  // namespace joseki::worker
