#pragma once

#include <cstdint>

#include "absl/time/time.h"

namespace joseki::coordinator {

// The amount of work in a lease, and its duration. Pure.
//
// A lease should be about 60 to 120 s of its worker's work, so that leases are few. Near the end of
// a stage it is less, to spread the rest over the workers. A rule that learns from every game at
// once gets only the slots that keep the worker busy. Each further game in flight would be chosen
// by older evidence.
struct LeasePace {
  absl::Duration game;        // mean time of a game so far; zero: none was played yet
  absl::Duration limit;       // rough time of a game by its limits
  absl::Duration step = {};   // rough time of the longest move or search in hand, by its limits
  bool staged = false;        // the rule freezes its weights for a stage
  uint64_t available = 0;     // slots that could be granted
  uint32_t workers = 1;       // number that can serve the run
  uint32_t seats = 1;         // games that this worker plays at once
  absl::Duration least_term;  // of a lease; at least a minute, except in tests
  absl::Duration beat;        // interval of the worker's progress reports

  // The number of slots that the worker should have ready beyond those in play.
  uint32_t Ahead() const;
  // The largest number of slots in one reply.
  uint32_t Share() const;
  // The largest number of slots in one lease.
  uint32_t LeaseSlots() const;
  // The largest number of slots that the worker may hold: those in play, those ahead, and a lease,
  // or kMaxSlotsPerWorker if that is more. A worker that takes slots and plays none leaves the rest
  // of the run to others.
  uint32_t MostInHand() const;

  // The term of a lease that brings the worker to `open` slots in all: four times the slots'
  // expected time, at most 15 minutes, and at least two steps. The term starts over with each
  // played ply, of which there is none during a step.
  absl::Duration Term(uint32_t open) const;
  // The longest time for which the worker may not name the lease before its slots are granted to
  // others. A worker that is gone must not stall a stage for the time that a stuck engine is
  // allowed. A worker names its leases during a step too.
  absl::Duration Patience(uint32_t open) const;
  // The longest time from one game of the lease to the next, whatever progress the worker claims.
  // It is eight terms or eight times the slots' expected time, whichever is more. While the time of
  // a game is unknown it is eight of the longest terms, or eight times the time by the limits.
  // Slots beyond those that a worker needs give it no time.
  absl::Duration Longest(uint32_t open) const;

 private:
  // Slots in play, those ahead, and a lease.
  uint32_t Needed() const;
  absl::Duration Expected(uint32_t open) const;
  uint32_t RoundsOf(uint32_t open) const;
};

}  // namespace joseki::coordinator
