#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "worker/coordinator_port.h"

namespace joseki::worker {

// State shared by the threads that play a lease's games and those that report and cancel it.
struct SharedLease {
  std::atomic<uint32_t> plies{0};  // over all of its slots, and by HeldLeases::Advance
  std::stop_source abandon;        // stopped: no more use for its games
};

// A game to play, with everything that its player needs.
struct Assignment {
  std::string epoch;
  RunId run = 0;
  LeaseId lease = 0;
  Slot slot;
  std::shared_ptr<const PlaySpec> play;
  std::shared_ptr<SharedLease> state;

  bool abandoned() const { return state->abandon.stop_requested(); }
};

// The leases that this worker holds, with slots that wait, are in play, or go back unplayed. A
// lease is forgotten when it has neither of the first two. No clock, no thread: guarded by the
// owner's mutex.
class HeldLeases {
 public:
  // Adds a lease. One that is already held stays unchanged.
  void Add(const std::string& epoch, Lease lease, std::shared_ptr<const PlaySpec> play);
  // Notes the slots of a lease that came too late as unplayed.
  void Decline(const Lease& lease);

  // The next slot to play, oldest lease first; nullopt if none waits.
  std::optional<Assignment> Next();
  // Ends a slot that Next returned; it is unplayed unless it was played, or abandoned.
  void Done(const Assignment& assignment, bool played);

  // Removes and returns every unplayed slot and every waiting one.
  std::vector<SlotRef> TakeUnplayed();

  // Forgets the lease and its waiting slots, and aborts its games; false if it is not held.
  bool Abandon(LeaseId lease);
  // Likewise for all leases and unplayed slots.
  void AbandonAll();

  // Counts progress of a download that games of `run` wait for as a ply in each of its leases.
  // Leases whose slots all wait count, too.
  void Advance(RunId run);

  std::vector<LeaseProgress> Progress() const;
  size_t waiting() const { return waiting_.size(); }
  size_t playing() const { return playing_; }
  bool empty() const { return waiting_.empty() && playing_ == 0; }

 private:
  struct Held {
    RunId run = 0;
    std::shared_ptr<SharedLease> state;
    size_t slots = 0;  // waiting or being played
  };

  // Forgets the lease after its last slot.
  void ReleaseSlot(LeaseId lease);

  std::map<LeaseId, Held> leases_;
  std::deque<Assignment> waiting_;
  size_t playing_ = 0;  // with games of abandoned leases
  std::vector<SlotRef> unplayed_;
};

}  // namespace joseki::worker
