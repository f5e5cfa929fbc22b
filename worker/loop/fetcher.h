#pragma once

#include "worker/coordinator_port.h"
#include "worker/loop/membership.h"
#include "worker/loop/shared.h"

namespace joseki::worker {

// Requests slots, one request at a time, and takes them in. Slots come with the replies to Submit,
// or by Acquire if there is nothing to submit. Thread-safe.
class Fetcher {
 public:
  Fetcher(LoopShared& shared, Membership& membership) : shared_(shared), membership_(membership) {}

  // Acquires slots when they are wanted, until the loop takes no more. Blocks: the fetch thread.
  void Run();

  // Makes the next request, if slots are wanted; no other is made until EndAsking.
  AcquireInput Ask();
  void EndAsking();
  // Takes the slots of a reply, and drains the worker if it says so.
  void Take(const Session& session, AcquireOutput work);

  // REQUIRES, for the functions below: the lock of shared.life is held.
  // Goes on in a new session. The spool's games are sent before any slot is acquired.
  void Enter(const Session& session);
  // Call it when they are sent.
  void EndBacklog() { backlog_ = false; }

 private:
  // Whether there has been no work for as long as the worker waits.
  bool IsIdle();
  // REQUIRES, for both: the lock of shared_.life is held.
  bool TakesMore() const;
  bool MayAcquire() const;

  LoopShared& shared_;
  Membership& membership_;
  bool backlog_ = false;  // guarded by the lock of shared_.life
};

}  // namespace joseki::worker
