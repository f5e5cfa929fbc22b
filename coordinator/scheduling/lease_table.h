#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/slot_codec.h"

namespace joseki::coordinator {

// Values are stored: never renumber.
enum class LeaseState : uint8_t {
  kLive = 0,
  kFinished = 1,
  kExpired = 2,
  kGivenBack = 3,
  kAbandoned = 4,  // by a worker that was restarted
};

// A lease as it is granted.
struct LeaseGrant {
  LeaseId lease = 0;
  RunId run = 0;
  std::string worker;
  SessionId session = 0;
  int stage = 0;
  int64_t granted_ms = 0;  // since the epoch of Unix; for people
  absl::Duration term;
  std::vector<PlannedSlot> slots;
  uint64_t process = 0;      // the worker's
  absl::Duration step = {};  // the longest move or search of its slots, by its limits; zero after a
                             // restart
  // The longest time for which the worker may not name the lease; never more than the term.
  absl::Duration patience = absl::InfiniteDuration();
  // The most plies that its games can have: a larger claim is capped.
  uint32_t most_plies = std::numeric_limits<uint32_t>::max();
};

// The leases of slots, with their holders and deadlines. A pure state machine: no clock, no lock,
// no storage. Time is an argument and never goes backwards; the caller persists the changes.
//
// Invariants:
//   - a lease id is granted once; a lease is live, or over (expired or given back), or forgotten;
//   - a slot is open (its lease is live and it has no game), empty (its lease is over, no game) or
//     filled; a filled slot stays filled;
//   - a lease is forgotten when all its slots are filled, and only then: so a late game finds its
//     slot as long as the slot is empty. Of leases that are over only the newest are kept with
//     their slots; the others are put away: their slots are in the database alone;
//   - a live lease has a deadline, the earliest of three: its term after its last played ply, its
//     patience after its worker last named it, and its longest time without a game. Plies are the
//     worker's claim until a game comes; the third bound keeps claims from holding a lease for
//     ever.
// Not thread-safe: guarded by the owner's mutex.
class LeaseTable {
 public:
  static constexpr size_t kMostEnded = 1000;  // with their slots

  // Makes the lease live until now + term. AlreadyExists if the id is known, InvalidArgument
  // without slots. The grant is shared with the code that writes it and hands it out, and is never
  // changed.
  absl::Status Grant(std::shared_ptr<const LeaseGrant> grant, absl::Time now);

  // Forgets a lease that was never handed out, as its row could not be written.
  void Cancel(LeaseId lease);

  // Records that the worker names the lease, with `plies` played so far in all its slots. The term
  // starts over only if they grew. `patience`: the time until the worker names it again, if that is
  // more than the lease's. `longest`: the most time from one game of the lease to the next, from
  // now on. NotFound if the lease is not live and held by `worker`; the worker must then abandon
  // it.
  absl::Status Renew(LeaseId lease, const std::string& worker, uint32_t plies, absl::Time now,
                     absl::Duration patience = absl::ZeroDuration(),
                     absl::Duration longest = absl::InfiniteDuration());

  // A slot with the facts of its lease.
  struct Found {
    RunId run = 0;
    int stage = 0;
    std::string worker;
    SessionId session = 0;
    std::shared_ptr<const PlannedSlot> plan;  // keeps the lease's slots alive
    bool filled = false;
  };
  // Nullopt if the lease is unknown, forgotten or put away, or has no such slot.
  std::optional<Found> Find(LeaseId lease, uint32_t slot) const;

  // The effect of a committed game.
  struct Completion {
    bool stale = false;     // the lease was over: the slot had been given up
    bool finished = false;  // all slots of the lease now have a game: it is forgotten
  };
  // Fills the slot and, as this is progress, renews a live lease. NotFound if Find finds nothing,
  // AlreadyExists if the slot is filled.
  absl::StatusOr<Completion> Complete(LeaseId lease, uint32_t slot, absl::Time now);

  // A lease that is over, with the slots that were open.
  struct Ended {
    LeaseId lease = 0;
    RunId run = 0;
    std::string worker;
    std::vector<PlannedSlot> open;
  };
  // Ends a live lease early. NotFound if it is not live and held by `worker`.
  absl::StatusOr<Ended> GiveBack(LeaseId lease, const std::string& worker);
  // Ends every live lease of the worker that belongs to another process of it.
  std::vector<Ended> Abandon(const std::string& worker, uint64_t process);
  // Marks the lease as handed out. REQUIRES: it is written.
  void MarkHandedOut(LeaseId lease);
  // The grants, ascending, of live leases after `after` that the process was handed; without their
  // filled slots.
  std::vector<LeaseGrant> HandedOutAfter(const std::string& worker, uint64_t process,
                                         LeaseId after) const;
  // Ends `most` of the live leases of a run.
  std::vector<Ended> Revoke(RunId run, size_t most = std::numeric_limits<size_t>::max());
  // Ends every live lease of a worker, or those of one run.
  std::vector<Ended> RevokeWorker(const std::string& worker, std::optional<RunId> run = {});
  // Ends `most` of the leases whose deadline is at or before `now`, earliest deadline first.
  std::vector<Ended> Expire(absl::Time now, size_t most = std::numeric_limits<size_t>::max());

  // Adds a lease from the database after a restart; a live one gets a full new term. `filled` names
  // the slots that have a game. AlreadyExists if the id is known.
  absl::Status Restore(LeaseGrant grant, LeaseState state, const std::set<uint32_t>& filled,
                       absl::Time now);

  // Gives every live lease a full new term, after a time in which workers could not reach us.
  void RenewAll(absl::Time now);

  // 0 if the lease is forgotten.
  RunId RunOf(LeaseId lease) const;
  bool IsPutAway(LeaseId lease) const { return put_away_.contains(lease); }
  bool IsLive(LeaseId lease) const;
  uint32_t LiveLeases(RunId run) const;
  uint32_t OpenSlots(RunId run) const;
  uint32_t OpenSlotsOf(const std::string& worker) const;
  // The longest step of the worker's live leases.
  absl::Duration LongestStepOf(const std::string& worker) const;

 private:
  struct Entry {
    std::shared_ptr<const LeaseGrant> grant;
    absl::Duration patience;   // the grant's, or more
    std::vector<bool> filled;  // parallel to grant->slots
    uint32_t open = 0;         // slots without a game
    uint32_t plies = 0;
    bool live = true;
    bool handed_out = false;
    absl::Time played;  // the last played ply, and the last time that the worker named it
    absl::Time named;
    absl::Time filled_at;  // the last game, or the grant
    absl::Duration longest = absl::InfiniteDuration();
    absl::Time deadline;
  };
  struct Count {
    uint32_t leases = 0;
    uint32_t slots = 0;
  };

  absl::Status Add(std::shared_ptr<const LeaseGrant> grant, LeaseState state,
                   const std::set<uint32_t>& filled, absl::Time now);
  const Entry* LiveOf(LeaseId lease, const std::string& worker) const;
  // Updates the deadline.
  void Schedule(Entry& entry);
  Ended End(Entry& entry);
  // Takes a live lease off what is counted.
  void Close(Entry& entry);
  // Keeps a lease that is over with its slots, and puts away the oldest of those.
  void KeepEnded(LeaseId lease);
  void AddOpen(const Entry& entry, uint32_t slots, int sign);

  std::map<LeaseId, Entry> leases_;
  std::deque<LeaseId> ended_;  // the newest, in the order of their ends; some are forgotten
  absl::flat_hash_map<LeaseId, RunId> put_away_;
  std::set<std::pair<absl::Time, LeaseId>> deadlines_;  // of live leases
  std::map<RunId, Count> live_;
  struct Held {
    std::set<LeaseId> live;
    uint32_t open = 0;
  };
  absl::flat_hash_map<std::string, Held> held_;  // by worker; only those with live leases
};

}  // namespace joseki::coordinator
