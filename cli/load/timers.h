#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#include "absl/time/time.h"

namespace joseki::cli {

// Calls functions at given times, on one thread of its own. Thread-safe.
class Timers {
 public:
  Timers();
  // Drops the calls that are due later, and waits for one in progress.
  ~Timers();
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  void At(absl::Time time, std::function<void()> call);

 private:
  struct Entry {
    absl::Time time;
    uint64_t number = 0;  // breaks ties of `time`, first come first
    std::function<void()> call;
    bool operator<(const Entry& other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };

  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::priority_queue<Entry> entries_;  // this and the next two guarded by mutex_
  uint64_t next_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace joseki::cli
