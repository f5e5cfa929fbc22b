#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/time/time.h"

namespace joseki::worker {

// Processor time, user and system.
absl::Duration ProcessorTimeOfThread();    // of the calling thread
absl::Duration ProcessorTimeOfProcess();   // of this process
absl::Duration ProcessorTimeOfChildren();  // of children that have ended and were reaped
std::optional<absl::Duration> ProcessorTimeOfProcess(
    pid_t pid);  // of all its threads; nullopt: the process has ended

// The cost of a worker's process since its start, including its engines.
struct WorkerCost {
  absl::Duration processor;
  absl::Duration search;  // part of `processor` during searches
};

// The sum of the costs of a worker's seats. Thread-safe.
class CostMeter {
 public:
  explicit CostMeter(size_t seats) : engines_(seats) {}

  // Adds a game of the seat: its time inside searches, and the total so far of the seat's engine if
  // that is a live process. An ended engine counts in ProcessorTimeOfChildren.
  void Add(size_t seat, absl::Duration search, absl::Duration living_engine);

  WorkerCost Read() const;

 private:
  std::atomic<int64_t> search_ns_ = 0;
  std::vector<std::atomic<int64_t>> engines_;  // ns, by seat
};

}  // namespace joseki::worker
