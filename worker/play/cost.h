#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/time/time.h"

namespace joseki::worker {

// Processor time, user and system.
absl::Duration ProcessorTimeOfThread();    // of the one that calls
absl::Duration ProcessorTimeOfProcess();   // ours
absl::Duration ProcessorTimeOfChildren();  // that have ended and were waited for
std::optional<absl::Duration> ProcessorTimeOfProcess(
    pid_t pid);  // of all its threads; nullopt: gone

// Cost of a worker's process since it began, its engines included.
struct WorkerCost {
  absl::Duration processor;
  absl::Duration search;  // of that, while engines searched
};

// Adds up what the seats of a worker spend. Thread-safe.
class CostMeter {
 public:
  explicit CostMeter(size_t seats) : engines_(seats) {}

  // Adds a game of the seat: its time inside searches, and the total of the seat's engine if that
  // is a living process. An ended one is in ProcessorTimeOfChildren.
  void Add(size_t seat, absl::Duration search, absl::Duration living_engine);

  WorkerCost Read() const;

 private:
  std::atomic<int64_t> search_ns_ = 0;
  std::vector<std::atomic<int64_t>> engines_;  // ns, by seat
};

}  // namespace joseki::worker
