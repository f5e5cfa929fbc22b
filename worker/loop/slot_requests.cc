#include "worker/loop/slot_requests.h"

#include <algorithm>
#include <utility>

#include "proto/limits.h"

namespace joseki::worker {

void SlotRequests::Enter(const std::string& epoch) {
  if (epoch == epoch_) return;
  leases_.AbandonAll();
  runs_.clear();
  newest_lease_ = 0;
  epoch_ = epoch;
}

size_t SlotRequests::Wanted() const {
  if (open_) return 0;
  // The number of games kept ready so that no seat waits for a reply; a quarter of the seats if the
  // coordinator names none. More are requested when half of them are gone.
  const size_t ahead = ahead_ > 0 ? ahead_ : (seats_ + 3) / 4;
  const size_t have = leases_.waiting() + leases_.playing();
  return have > seats_ + ahead / 2 ? 0
                                   : std::min<size_t>(seats_ + ahead - have, kMaxSlotsPerWorker);
}

AcquireInput SlotRequests::Open(absl::Time now) {
  AcquireInput input;
  input.want_slots = static_cast<uint32_t>(Wanted());
  if (input.want_slots == 0) return input;
  open_ = true;
  opened_ = now;
  input.after_lease = newest_lease_;
  for (const auto& [run, unused] : runs_) {
    if (input.known_runs.size() < kMaxKnownRuns) input.known_runs.push_back(run);
  }
  return input;
}

std::vector<LeaseId> SlotRequests::Take(const std::string& epoch, AcquireOutput work, bool play,
                                        absl::Time now) {
  std::vector<LeaseId> unknown;
  if (epoch != epoch_) return unknown;
  if (!work.leases.empty()) {
    ahead_ = work.ahead;
    worked_ = now;
  }
  for (auto& [run, spec] : work.runs) {
    runs_.try_emplace(run, std::make_shared<const PlaySpec>(std::move(spec)));
  }
  for (Lease& lease : work.leases) {
    newest_lease_ = std::max(newest_lease_, lease.lease);
    const auto run = runs_.find(lease.run);
    if (run == runs_.end()) unknown.push_back(lease.lease);
    if (play && run != runs_.end()) {
      leases_.Add(epoch_, std::move(lease), run->second);
    } else {
      leases_.Decline(lease);
    }
  }
  return unknown;
}

absl::Duration SlotRequests::IdleFor(absl::Time now) const {
  return leases_.empty() ? now - worked_ : absl::ZeroDuration();
}

absl::Duration SlotRequests::WaitsFor(absl::Time now) const {
  return open_ ? std::min(now - opened_, IdleFor(now)) : absl::ZeroDuration();
}

}  // namespace joseki::worker
