#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>

#include "coordinator/model/messages.h"
#include "proto/limits.h"

namespace joseki::coordinator {

// Which run gets the next slots: of those that have any to give, one of the highest priority; among
// runs of one priority, by weighted fair queueing, so that over time each gets slots in proportion
// to its weight. A run that had nothing to give for a while has no claim to what it missed.
//
// Pure integers; no clock, no lock. Each run has a finish time, in slots over weight; the run with
// the earliest start (its finish, but not before the start of what was served last) is next.
class FairShare {
 public:
  // Adds a run, or gives one another share. REQUIRES: 1 <= weight.
  void Set(RunId run, const Share& share);
  void Remove(RunId run) { runs_.erase(run); }

  // Which of `runs` is next; 0 if there are none. REQUIRES: each was Set.
  RunId Next(std::span<const RunId> runs) const;

  // So many slots of the run were handed out.
  void Charge(RunId run, uint32_t slots);
  // They were not after all.
  void Refund(RunId run, uint32_t slots);

 private:
  // Fine enough for a weight of 1000 and room for 10^12 slots at a weight of 1.
  static constexpr uint64_t kUnit = 1'000'000;

  struct Entry {
    Share share;
    uint64_t finish = 0;
  };
  uint64_t StartOf(const Entry& entry) const;

  std::map<RunId, Entry> runs_;
  std::array<uint64_t, kMaxPriority + 1> served_{};  // start of what was served last
};

}  // namespace joseki::coordinator
