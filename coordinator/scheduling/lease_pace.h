#pragma once

#include <cstdint>

#include "absl/time/time.h"

namespace joseki::coordinator {

// How much work a lease carries, and how long it lasts. Pure.
//
// A lease should be some 60 to 120 s of its worker's work, so that leases are few; less near the
// end of a stage, where what is left is spread over the workers; and for rules that learn from
// every game at once only what keeps the worker busy, because every game more in flight is one
// chosen by older evidence.
struct LeasePace {
  absl::Duration game;        // mean time of a game so far; zero: none was played yet
  absl::Duration limit;       // what a game may take by its limits, roughly
  bool staged = false;        // the rule freezes its weights for a stage
  uint64_t available = 0;     // slots that could be handed out
  uint32_t workers = 1;       // that can serve the run
  uint32_t seats = 1;         // games that this worker plays at once
  absl::Duration least_term;  // of a lease; at least a minute, but for tests
  absl::Duration beat;        // how often the worker tells of its progress

  // How many slots the worker should have ready beyond those in play.
  uint32_t Ahead() const;
  // How many slots one reply may carry at most.
  uint32_t Share() const;
  // How many slots one lease may have at most.
  uint32_t LeaseSlots() const;

  // How long a lease lasts that brings the worker to `open` slots in all: four times what they
  // take, at most 15 minutes. It starts anew whenever something was played.
  absl::Duration Term(uint32_t open) const;
  // How long the worker may not even name the lease before it is given to others: a worker that is
  // gone should not stall a stage for the time that a stuck engine is given.
  absl::Duration Patience(uint32_t open) const;
  // How long it may take from one game of the lease to the next, however much the worker says that
  // it plays: eight terms, or eight times what its slots take. As long as nobody knows how long a
  // game takes: eight of the longest terms, or eight times what the limits allow.
  absl::Duration Longest(uint32_t open) const;

 private:
  absl::Duration Expected(uint32_t open) const;
  uint32_t RoundsOf(uint32_t open) const;
};

}  // namespace joseki::coordinator
