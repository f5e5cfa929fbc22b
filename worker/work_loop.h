#pragma once

#include <vector>

#include "absl/status/status.h"
#include "engine/core/rules.h"
#include "worker/coordinator_port.h"
#include "worker/loop/fetcher.h"
#include "worker/loop/membership.h"
#include "worker/loop/options.h"
#include "worker/loop/outbox.h"
#include "worker/loop/shared.h"
#include "worker/play/cost.h"
#include "worker/spool.h"

namespace joseki::worker {

// The main loop of a worker: fetches slots, plays them, and submits the games, until it is drained.
//
// Threads, all started and joined by Run:
// - one per seat (worker/loop/seat.h), which plays one game at a time with players of its own;
// - fetch (worker/loop/fetcher.h), with at most one Acquire outstanding;
// - submit (worker/loop/outbox.h), with at most one Submit outstanding;
// - beat (worker/loop/beat.h).
// They share the session, the held leases and the spool. Only the spool must survive a kill.
//
// All retries of the worker are here. Any error of the port is retried without limit, with jittered
// back-off and not sooner than the error asks for; Membership names the two that end the loop.
// After a lost session held leases continue. A changed epoch is another database, so held leases
// are dropped.
//
// Slots come with the replies to Submit, or by Acquire if there is nothing to submit, but never by
// both at once. After a Join the spool's games are sent before any slot is requested.
class WorkLoop {
 public:
  using Options = LoopOptions;

  // All arguments must outlive the loop.
  WorkLoop(Options options, RulesFinder rules_of, PlayerFactory make_player, CoordinatorPort& port,
           Spool& spool, LogSink log, BookProvider books = nullptr);

  // Works until it is drained by Drain, by the coordinator, or by idleness; blocks. OK after a
  // clean end: every game submitted, every other slot given back. Otherwise an error; unsubmitted
  // games stay in the spool. REQUIRES: called once.
  absl::Status Run();

  // Takes no new slot, finishes the games that end within the grace, and gives the rest back.
  // Callable from any thread.
  void Drain() { shared_.life.Advance(Phase::kFinishPlaying); }
  // Aborts the games and leaves without notice: their slots are granted again when the leases
  // expire. Callable from any thread.
  void Interrupt() { shared_.life.Advance(Phase::kStop); }

  // Cost of the worker's process up to now. Callable from any thread.
  WorkerCost cost() const { return shared_.meter.Read(); }

 private:
  // Waits while there is work. Drains a worker that has been idle for exit_when_idle, even if the
  // coordinator still holds a call for work.
  void AwaitDrain();
  // Waits for the games of a drained worker, and breaks off those that take too long.
  void AwaitGames();
  // Waits until the games are submitted, within the grace, and takes leave with the unplayed slots.
  void Leave();

  LoopShared shared_;
  Membership membership_;
  Fetcher fetcher_;
  Outbox outbox_;
};

}  // namespace joseki::worker
