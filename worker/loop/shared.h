#pragma once

#include "base/steady_clock.h"
#include "engine/core/rules.h"
#include "worker/coordinator_port.h"
#include "worker/loop/held_leases.h"
#include "worker/loop/lifecycle.h"
#include "worker/loop/options.h"
#include "worker/loop/slot_requests.h"
#include "worker/play/cost.h"
#include "worker/spool.h"

namespace joseki::worker {

// State shared by the threads of a work loop.
struct LoopShared {
  // Constant while the loop runs.
  LoopOptions options;
  RulesFinder rules_of;
  PlayerFactory make_player;
  BookProvider books;  // null: there are no books
  LogSink log;
  const SteadyClock clock{Clock::System()};  // setting the machine's clock is no idle time

  // Thread-safe.
  CoordinatorPort& port;
  Spool& spool;
  CostMeter meter{options.join.seats};
  Lifecycle life = {};

  // Guarded by the lock of `life`.
  HeldLeases leases = {};
  SlotRequests requests{options.join.seats, leases};
};

}  // namespace joseki::worker
