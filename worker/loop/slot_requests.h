#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "worker/coordinator_port.h"
#include "worker/loop/held_leases.h"

namespace joseki::worker {

// A worker's requests for slots, one at a time, and what it knows for the next one. No clock, no
// thread: guarded by the owner's mutex.
class SlotRequests {
 public:
  // For a worker that plays `seats` games at once. `leases` outlive this object.
  SlotRequests(size_t seats, HeldLeases& leases) : seats_(seats), leases_(leases) {}

  // Goes on in the database of `epoch`. If it is another one, held leases and known runs are
  // dropped: those of the new one are unrelated, even with equal numbers.
  void Enter(const std::string& epoch);

  // The number of slots to request now; 0 while a request is open.
  size_t Wanted() const;
  // The next request, which stays open until Close. If no slot is wanted, none is opened.
  AcquireInput Open(absl::Time now);
  void Close() { open_ = false; }
  bool open() const { return open_; }

  // Takes a reply's leases, to be played or to go back unplayed, and its runs. Returns leases of
  // unknown runs, which go back. A reply of another epoch is dropped.
  std::vector<LeaseId> Take(const std::string& epoch, AcquireOutput work, bool play,
                            absl::Time now);

  // Notes that there is work, or was until now.
  void NoteWork(absl::Time now) { worked_ = now; }
  // The time since there was work; zero while a lease is held.
  absl::Duration IdleFor(absl::Time now) const;
  // The part of it during which the open request has waited; zero if none is open.
  absl::Duration WaitsFor(absl::Time now) const;

 private:
  const size_t seats_;
  HeldLeases& leases_;
  std::string epoch_;
  std::map<RunId, std::shared_ptr<const PlaySpec>> runs_;
  LeaseId newest_lease_ = 0;  // of this epoch
  uint32_t ahead_ = 0;        // from the coordinator; 0: choose
  bool open_ = false;
  absl::Time opened_;
  absl::Time worked_;
};

}  // namespace joseki::worker
