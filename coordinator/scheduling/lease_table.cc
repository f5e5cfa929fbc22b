#include "coordinator/scheduling/lease_table.h"

#include <algorithm>
#include <cassert>

#include "absl/strings/str_cat.h"
#include "base/problem.h"

namespace joseki::coordinator {
namespace {

absl::Status UnknownLease(LeaseId lease) {
  return MakeProblem({.code = "unknown_lease",
                      .found = absl::StrCat("lease ", lease),
                      .expected = "a live lease of this worker"},
                     absl::StatusCode::kNotFound);
}

// Index of the slot with this number; slots are in ascending order.
std::optional<size_t> IndexOf(const std::vector<PlannedSlot>& slots, uint32_t slot) {
  const auto at = std::lower_bound(
      slots.begin(), slots.end(), slot,
      [](const PlannedSlot& plan, uint32_t number) { return plan.slot.slot < number; });
  if (at == slots.end() || at->slot.slot != slot) return std::nullopt;
  return static_cast<size_t>(at - slots.begin());
}

}  // namespace

absl::Status LeaseTable::Grant(std::shared_ptr<const LeaseGrant> grant, absl::Time now) {
  return Add(std::move(grant), LeaseState::kLive, {}, now);
}

absl::Status LeaseTable::Restore(LeaseGrant grant, LeaseState state,
                                 const std::set<uint32_t>& filled, absl::Time now) {
  return Add(std::make_shared<const LeaseGrant>(std::move(grant)), state, filled, now);
}

absl::Status LeaseTable::Add(std::shared_ptr<const LeaseGrant> grant, LeaseState state,
                             const std::set<uint32_t>& filled, absl::Time now) {
  const LeaseId id = grant->lease;
  if (leases_.count(id) != 0 || IsPutAway(id)) {
    return MakeProblem({.code = "lease_exists", .found = absl::StrCat("lease ", id)},
                       absl::StatusCode::kAlreadyExists);
  }
  if (grant->slots.empty()) {
    return MakeProblem({.code = "empty_lease", .found = absl::StrCat("lease ", id)});
  }
  Entry entry;
  entry.filled.resize(grant->slots.size());
  entry.open = static_cast<uint32_t>(grant->slots.size());
  for (size_t i = 0; i < grant->slots.size() && !filled.empty(); ++i) {
    entry.filled[i] = filled.count(grant->slots[i].slot.slot) != 0;
    if (entry.filled[i]) --entry.open;
  }
  if (entry.open == 0) return absl::OkStatus();
  entry.patience = grant->patience;
  entry.grant = std::move(grant);
  entry.live = state == LeaseState::kLive;
  Entry& stored = leases_.emplace(id, std::move(entry)).first->second;
  if (stored.live) {
    stored.played = now;
    stored.named = now;
    stored.filled_at = now;
    Schedule(stored);
    ++live_[stored.grant->run].leases;
    held_[stored.grant->worker].live.insert(id);
    AddOpen(stored, stored.open, 1);
  } else {
    KeepEnded(id);
  }
  return absl::OkStatus();
}

void LeaseTable::Cancel(LeaseId lease) {
  const auto at = leases_.find(lease);
  if (at == leases_.end()) return;
  if (at->second.live) Close(at->second);
  leases_.erase(at);
}

const LeaseTable::Entry* LeaseTable::LiveOf(LeaseId lease, const std::string& worker) const {
  const auto at = leases_.find(lease);
  if (at == leases_.end() || !at->second.live || at->second.grant->worker != worker) return nullptr;
  return &at->second;
}

absl::Status LeaseTable::Renew(LeaseId lease, const std::string& worker, uint32_t plies,
                               absl::Time now, absl::Duration patience, absl::Duration longest) {
  if (LiveOf(lease, worker) == nullptr) return UnknownLease(lease);
  Entry& entry = leases_.at(lease);
  if (const uint32_t believed = std::min(plies, entry.grant->most_plies); believed > entry.plies) {
    entry.plies = believed;
    entry.played = now;
  }
  entry.named = now;
  entry.patience = std::max(entry.patience, patience);
  entry.longest = longest;
  Schedule(entry);
  return absl::OkStatus();
}

std::optional<LeaseTable::Found> LeaseTable::Find(LeaseId lease, uint32_t slot) const {
  const auto at = leases_.find(lease);
  if (at == leases_.end()) return std::nullopt;
  const Entry& entry = at->second;
  const std::optional<size_t> index = IndexOf(entry.grant->slots, slot);
  if (!index) return std::nullopt;
  Found found;
  found.run = entry.grant->run;
  found.stage = entry.grant->stage;
  found.worker = entry.grant->worker;
  found.session = entry.grant->session;
  found.plan = {entry.grant, &entry.grant->slots[*index]};
  found.filled = entry.filled[*index];
  return found;
}

absl::StatusOr<LeaseTable::Completion> LeaseTable::Complete(LeaseId lease, uint32_t slot,
                                                            absl::Time now) {
  const auto at = leases_.find(lease);
  if (at == leases_.end()) return UnknownLease(lease);
  Entry& entry = at->second;
  const std::optional<size_t> index = IndexOf(entry.grant->slots, slot);
  if (!index) {
    return MakeProblem({.code = "unknown_slot",
                        .found = absl::StrCat("slot ", slot, " of lease ", lease),
                        .expected = "a slot of the lease"},
                       absl::StatusCode::kNotFound);
  }
  if (entry.filled[*index]) {
    return MakeProblem(
        {.code = "slot_filled", .found = absl::StrCat("slot ", slot, " of lease ", lease)},
        absl::StatusCode::kAlreadyExists);
  }
  entry.filled[*index] = true;
  --entry.open;
  Completion completion;
  completion.stale = !entry.live;
  completion.finished = entry.open == 0;
  if (entry.live) {
    AddOpen(entry, 1, -1);
    entry.played = now;
    entry.named = now;
    entry.filled_at = now;
    Schedule(entry);
  }
  if (completion.finished) {
    if (entry.live) Close(entry);
    leases_.erase(at);
  }
  return completion;
}

absl::StatusOr<LeaseTable::Ended> LeaseTable::GiveBack(LeaseId lease, const std::string& worker) {
  if (LiveOf(lease, worker) == nullptr) return UnknownLease(lease);
  return End(leases_.at(lease));
}

std::vector<LeaseTable::Ended> LeaseTable::Abandon(const std::string& worker, uint64_t process) {
  std::vector<Ended> ended;
  const auto held = held_.find(worker);
  if (held == held_.end()) return ended;
  const std::set<LeaseId> live = held->second.live;  // a copy: End removes entries
  for (const LeaseId lease : live) {
    Entry& entry = leases_.at(lease);
    if (entry.grant->process != process) ended.push_back(End(entry));
  }
  return ended;
}

void LeaseTable::MarkHandedOut(LeaseId lease) {
  const auto at = leases_.find(lease);
  if (at != leases_.end()) at->second.handed_out = true;
}

std::vector<LeaseGrant> LeaseTable::HandedOutAfter(const std::string& worker, uint64_t process,
                                                   LeaseId after) const {
  std::vector<LeaseGrant> grants;
  const auto held = held_.find(worker);
  if (held == held_.end()) return grants;
  for (auto at = held->second.live.upper_bound(after); at != held->second.live.end(); ++at) {
    const Entry& entry = leases_.at(*at);
    if (!entry.handed_out || entry.grant->process != process) continue;
    LeaseGrant grant = *entry.grant;
    grant.slots.clear();
    for (size_t i = 0; i < entry.filled.size(); ++i) {
      if (!entry.filled[i]) grant.slots.push_back(entry.grant->slots[i]);
    }
    grants.push_back(std::move(grant));
  }
  return grants;
}

std::vector<LeaseTable::Ended> LeaseTable::Revoke(RunId run, size_t most) {
  std::vector<Ended> ended;
  for (auto& [id, entry] : leases_) {
    if (ended.size() == most) break;
    if (entry.live && entry.grant->run == run) ended.push_back(End(entry));
  }
  return ended;
}

std::vector<LeaseTable::Ended> LeaseTable::RevokeWorker(const std::string& worker,
                                                        std::optional<RunId> run) {
  std::vector<Ended> ended;
  const auto held = held_.find(worker);
  if (held == held_.end()) return ended;
  const std::set<LeaseId> live = held->second.live;  // a copy: End removes entries
  for (const LeaseId lease : live) {
    Entry& entry = leases_.at(lease);
    if (!run || entry.grant->run == *run) ended.push_back(End(entry));
  }
  return ended;
}

std::vector<LeaseTable::Ended> LeaseTable::Expire(absl::Time now, size_t most) {
  std::vector<Ended> ended;
  while (ended.size() < most && !deadlines_.empty() && deadlines_.begin()->first <= now) {
    ended.push_back(End(leases_.at(deadlines_.begin()->second)));
  }
  return ended;
}

void LeaseTable::RenewAll(absl::Time now) {
  for (auto& [id, entry] : leases_) {
    if (!entry.live) continue;
    entry.played = now;
    entry.named = now;
    entry.filled_at = now;
    Schedule(entry);
  }
}

RunId LeaseTable::RunOf(LeaseId lease) const {
  if (const auto at = leases_.find(lease); at != leases_.end()) return at->second.grant->run;
  const auto away = put_away_.find(lease);
  return away == put_away_.end() ? 0 : away->second;
}

bool LeaseTable::IsLive(LeaseId lease) const {
  const auto at = leases_.find(lease);
  return at != leases_.end() && at->second.live;
}

uint32_t LeaseTable::LiveLeases(RunId run) const {
  const auto at = live_.find(run);
  return at == live_.end() ? 0 : at->second.leases;
}

uint32_t LeaseTable::OpenSlots(RunId run) const {
  const auto at = live_.find(run);
  return at == live_.end() ? 0 : at->second.slots;
}

uint32_t LeaseTable::OpenSlotsOf(const std::string& worker) const {
  const auto at = held_.find(worker);
  return at == held_.end() ? 0 : at->second.open;
}

absl::Duration LeaseTable::LongestStepOf(const std::string& worker) const {
  absl::Duration longest;
  const auto held = held_.find(worker);
  if (held == held_.end()) return longest;
  for (const LeaseId lease : held->second.live) {
    longest = std::max(longest, leases_.at(lease).grant->step);
  }
  return longest;
}

void LeaseTable::Schedule(Entry& entry) {
  auto node = deadlines_.extract({entry.deadline, entry.grant->lease});
  entry.deadline = std::min({entry.played + entry.grant->term, entry.named + entry.patience,
                             entry.filled_at + entry.longest});
  if (node.empty()) {
    deadlines_.emplace(entry.deadline, entry.grant->lease);
  } else {
    node.value().first = entry.deadline;
    deadlines_.insert(std::move(node));
  }
}

void LeaseTable::Close(Entry& entry) {
  assert(entry.live);
  entry.live = false;
  deadlines_.erase({entry.deadline, entry.grant->lease});
  --live_[entry.grant->run].leases;
  AddOpen(entry, entry.open, -1);
  const auto held = held_.find(entry.grant->worker);
  held->second.live.erase(entry.grant->lease);
  if (held->second.live.empty()) held_.erase(held);
}

LeaseTable::Ended LeaseTable::End(Entry& entry) {
  Close(entry);
  Ended ended;
  ended.lease = entry.grant->lease;
  ended.run = entry.grant->run;
  ended.worker = entry.grant->worker;
  for (size_t i = 0; i < entry.grant->slots.size(); ++i) {
    if (!entry.filled[i]) ended.open.push_back(entry.grant->slots[i]);
  }
  KeepEnded(ended.lease);
  return ended;
}

void LeaseTable::KeepEnded(LeaseId lease) {
  ended_.push_back(lease);
  if (ended_.size() <= kMostEnded) return;
  const auto oldest = leases_.find(ended_.front());
  ended_.pop_front();
  if (oldest == leases_.end()) return;  // forgotten
  put_away_.emplace(oldest->first, oldest->second.grant->run);
  leases_.erase(oldest);
}

void LeaseTable::AddOpen(const Entry& entry, uint32_t slots, int sign) {
  uint32_t& run = live_[entry.grant->run].slots;
  uint32_t& worker = held_[entry.grant->worker].open;
  if (sign > 0) {
    run += slots;
    worker += slots;
  } else {
    run -= slots;
    worker -= slots;
  }
}

}  // namespace joseki::coordinator
