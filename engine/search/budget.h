#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "engine/search/limits.h"

namespace joseki {

// Nodes and time of a search: its limits, its consumption, and whether it is over.
class Budget {
 public:
  // Begins a search now, with nothing spent.
  void Begin(const SearchLimits& limits) {
    limits_ = limits;
    start_ = Clock::now();
    nodes_ = 0;
    over_ = false;
  }

  // Counts a node. False if the search is over or may have no other node: it then unwinds.
  bool CountNode() {
    if (over_) return false;
    if (limits_.nodes != 0 && nodes_ >= limits_.nodes) {
      over_ = true;
      return false;
    }
    ++nodes_;
    return true;
  }
  // Allowed: `nodes`, capped by the remaining limit. Spend: counts nodes searched elsewhere.
  uint64_t Allowed(uint64_t nodes) const {
    return limits_.nodes == 0 ? nodes
                              : std::min(nodes, limits_.nodes - std::min(limits_.nodes, nodes_));
  }
  void Spend(uint64_t nodes) { nodes_ += nodes; }

  // Ends the search if Stop was called or its time is up. The clock is read at every 1,024th node,
  // and by PollClock.
  void Poll() {
    if (stopping()) over_ = true;
    if ((nodes_ & 1023) == 0) PollClock();
  }
  void PollClock() {
    if (limits_.hard_ms > 0 && ElapsedMs() >= limits_.hard_ms) over_ = true;
  }
  void End() { over_ = true; }
  bool over() const { return over_; }

  const SearchLimits& limits() const { return limits_; }
  uint64_t nodes() const { return nodes_; }
  int64_t ElapsedMs() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_).count();
  }

  // Any thread may call it.
  void Stop() { stop_requested_.store(true, std::memory_order_relaxed); }
  void ClearStop() { stop_requested_.store(false, std::memory_order_relaxed); }
  bool stopping() const { return stop_requested_.load(std::memory_order_relaxed); }
  const std::atomic<bool>* stop_flag() const { return &stop_requested_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::atomic<bool> stop_requested_{false};
  SearchLimits limits_;
  Clock::time_point start_;
  uint64_t nodes_ = 0;
  bool over_ = false;
};

}  // namespace joseki
