#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>

#include "coordinator/model/messages.h"
#include "proto/limits.h"

namespace joseki::coordinator {

// Chooses the run that gets the next slots: among those that have slots, one of the highest
// priority. Among runs of one priority it uses weighted fair queueing, so that over time each gets
// slots in proportion to its weight. A run without slots for a while has no claim to the slots it
// missed.
//
// Pure integers; no clock, no lock. Each run has a finish time, in slots over weight. The run with
// the earliest start is next; its start is its finish, but not before the start of the run served
// last.
class FairShare {
 public:
  // Adds a run, or changes a run's share. REQUIRES: 1 <= weight.
  void Set(RunId run, const Share& share);
  void Remove(RunId run) { runs_.erase(run); }

  // The next one of `runs`; 0 if they are empty. REQUIRES: each was Set.
  RunId Next(std::span<const RunId> runs) const;

  // Charges slots of the run that were handed out.
  void Charge(RunId run, uint32_t slots);
  // Undoes a Charge: the slots were not handed out after all.
  void Refund(RunId run, uint32_t slots);

 private:
  // Fine enough for a weight of 1000, with room for 10^12 slots at a weight of 1.
  static constexpr uint64_t kUnit = 1'000'000;

  struct Entry {
    Share share;
    uint64_t finish = 0;
  };
  uint64_t StartOf(const Entry& entry) const;

  std::map<RunId, Entry> runs_;
  std::array<uint64_t, kMaxPriority + 1> served_{};  // start of the run served last
};

}  // namespace joseki::coordinator
