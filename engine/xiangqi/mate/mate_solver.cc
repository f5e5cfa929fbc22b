#include "engine/xiangqi/mate/mate_solver.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <thread>

namespace joseki::xiangqi {
namespace {

// Raises a flag after a time, unless it is destroyed before.
class Alarm {
 public:
  explicit Alarm(int64_t ms) {
    if (ms == 0) return;
    waiter_ = std::thread([this, ms] {
      std::unique_lock<std::mutex> lock(mutex_);
      const bool gone =
          changed_.wait_for(lock, std::chrono::milliseconds(ms), [this] { return gone_; });
      if (!gone) raised_ = true;
    });
  }
  ~Alarm() {
    if (!waiter_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      gone_ = true;
    }
    changed_.notify_all();
    waiter_.join();
  }
  const std::atomic<bool>& raised() const { return raised_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool gone_ = false;
  std::atomic<bool> raised_{false};
  std::thread waiter_;
};

}  // namespace

MateResult MateSolver::Run(const Position& position, const MateLimits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const Alarm alarm(limits.ms);
  const uint64_t most = limits.nodes > 0 ? limits.nodes : std::numeric_limits<uint64_t>::max();
  MateResult result;
  // Searches with the remaining nodes.
  const auto ask = [&](Position& at, int plies) {
    if (result.nodes >= most) return MateProbe();
    finder_.Use(plies, 0);
    const MateProbe probe = finder_.Find(at, most - result.nodes, &alarm.raised());
    result.nodes += probe.nodes;
    return probe;
  };

  Position at = position;
  MateProbe probe = ask(at, plies_);
  const bool ended = result.nodes < most && !alarm.raised();
  if (!probe.move && ended) result.verdict = MateVerdict::kNoMate;
  Undo undo;
  while (probe.move) {
    const int plies = probe.plies;
    result.line.push_back(probe.move);
    at.Do(probe.move, undo);
    MoveList replies;
    at.Generate<GenType::kAll>(replies);
    if (replies.empty()) {
      result.verdict = MateVerdict::kMate;
      break;
    }
    // Each reply leads to a mate that is at least two plies shorter.
    Move longest;
    probe = MateProbe();
    for (const Move reply : replies) {
      at.Do(reply, undo);
      const MateProbe next = ask(at, plies - 2);
      at.TakeBack(reply, undo);
      if (next.move && next.plies > probe.plies) {
        probe = next;
        longest = reply;
      }
      if (!next.move) {
        probe = next;
        break;
      }
    }
    if (!probe.move) break;
    result.line.push_back(longest);
    at.Do(longest, undo);
  }
  if (result.verdict != MateVerdict::kMate) result.line.clear();
  result.ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                  std::chrono::steady_clock::now() - start)
                  .count();
  return result;
}

}  // namespace joseki::xiangqi
