#include "worker/held_leases.h"

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

std::optional<Assignment> HeldLeases::Next() {
  if (waiting_.empty()) return std::nullopt;
  std::optional<Assignment> next = std::move(waiting_.front());
  waiting_.pop_front();
  ++playing_;
  return next;
}

void HeldLeases::Done(LeaseId lease) {
  --playing_;
  Release(lease, 1);
}

std::vector<SlotRef> HeldLeases::TakeWaiting() {
  std::vector<SlotRef> taken;
  for (const Assignment& assignment : waiting_) {
    taken.push_back({.lease = assignment.lease, .slot = assignment.slot.slot});
    Release(assignment.lease, 1);
  }
  waiting_.clear();
  return taken;
}

bool HeldLeases::Abandon(LeaseId lease) {
  const auto found = leases_.find(lease);
  if (found == leases_.end()) return false;
  found->second.state->abandoned = true;
  const size_t dropped =
      std::erase_if(waiting_, [&](const Assignment& waiting) { return waiting.lease == lease; });
  Release(lease, dropped);
  return true;
}

void HeldLeases::AbandonAll() {
  std::vector<LeaseId> held;
  for (const auto& [lease, unused] : leases_) held.push_back(lease);
  for (const LeaseId lease : held) Abandon(lease);
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

void HeldLeases::Release(LeaseId lease, size_t slots) {
  const auto found = leases_.find(lease);
  found->second.slots -= slots;
  if (found->second.slots == 0) leases_.erase(found);
}

}  // namespace joseki::worker
