#include "worker/loop/held_leases.h"

#include <algorithm>
#include <utility>

namespace joseki::worker {

void HeldLeases::Add(const std::string& epoch, Lease lease, std::shared_ptr<const PlaySpec> play) {
  if (lease.slots.empty() || leases_.contains(lease.lease)) return;
  const auto state = std::make_shared<SharedLease>();
  leases_.emplace(lease.lease, Held{.run = lease.run, .state = state, .slots = lease.slots.size()});
  for (Slot& slot : lease.slots) {
    waiting_.push_back({.epoch = epoch,
                        .run = lease.run,
                        .lease = lease.lease,
                        .slot = std::move(slot),
                        .play = play,
                        .state = state});
  }
}

void HeldLeases::Decline(const Lease& lease) {
  for (const Slot& slot : lease.slots) {
    unplayed_.push_back({.lease = lease.lease, .slot = slot.slot});
  }
}

std::optional<Assignment> HeldLeases::Next() {
  if (waiting_.empty()) return std::nullopt;
  std::optional<Assignment> next = std::move(waiting_.front());
  waiting_.pop_front();
  ++playing_;
  return next;
}

void HeldLeases::Done(const Assignment& assignment, bool played) {
  --playing_;
  if (assignment.abandoned()) return;
  if (!played) unplayed_.push_back({.lease = assignment.lease, .slot = assignment.slot.slot});
  ReleaseSlot(assignment.lease);
}

std::vector<SlotRef> HeldLeases::TakeUnplayed() {
  for (const Assignment& assignment : waiting_) {
    unplayed_.push_back({.lease = assignment.lease, .slot = assignment.slot.slot});
    ReleaseSlot(assignment.lease);
  }
  waiting_.clear();
  return std::exchange(unplayed_, {});
}

bool HeldLeases::Abandon(LeaseId lease) {
  const auto found = leases_.find(lease);
  if (found == leases_.end()) return false;
  found->second.state->abandon.request_stop();
  std::erase_if(waiting_, [&](const Assignment& waiting) { return waiting.lease == lease; });
  leases_.erase(found);
  return true;
}

void HeldLeases::AbandonAll() {
  while (!leases_.empty()) Abandon(leases_.begin()->first);
  unplayed_.clear();
}

void HeldLeases::Advance(RunId run) {
  for (const auto& [unused, held] : leases_) {
    if (held.run == run) ++held.state->plies;
  }
}

std::vector<LeaseProgress> HeldLeases::Progress() const {
  std::vector<LeaseProgress> progress;
  progress.reserve(leases_.size());
  for (const auto& [lease, held] : leases_) {
    progress.push_back({.lease = lease, .plies = held.state->plies});
  }
  return progress;
}

void HeldLeases::ReleaseSlot(LeaseId lease) {
  const auto found = leases_.find(lease);
  if (--found->second.slots == 0) leases_.erase(found);
}

}  // namespace joseki::worker
