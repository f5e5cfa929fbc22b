#include "coordinator/runs/lost_lines.h"

#include <utility>

#include "coordinator/model/slot_codec.h"

namespace joseki::coordinator {
namespace {

// Joins the lists without duplicates, as the newest kMaxFailed failures.
std::vector<LineFailure> Joined(std::vector<LineFailure> failed,
                                const std::vector<LineFailure>& more) {
  for (const LineFailure& failure : more) AddFailure(failed, failure);
  if (failed.size() > kMaxFailed) {
    failed.erase(failed.begin(), failed.end() - static_cast<std::ptrdiff_t>(kMaxFailed));
  }
  return failed;
}

}  // namespace

void LostLines::Add(Lost lost) {
  const SlotRef slot = lost.slot;
  (IsPoisoned(lost.line) ? held_ : waiting_).insert_or_assign(slot, std::move(lost));
}

std::optional<LostLines::Lost> LostLines::Next(const std::string& worker) {
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    // Another slot's failures may have poisoned the line meanwhile.
    if (IsPoisoned(at->second.line)) {
      held_.insert(waiting_.extract(at++));
    } else if (Refuses(at->second.line, worker)) {
      ++at;
    } else {
      return std::move(waiting_.extract(at).mapped());
    }
  }
  return std::nullopt;
}

void LostLines::Forget(SlotRef slot) {
  waiting_.erase(slot);
  held_.erase(slot);
}

void LostLines::ForgetAll() {
  waiting_.clear();
  held_.clear();
  withheld_.clear();
}

FailureWeight LostLines::WeighAt(const std::vector<Move>& line,
                                 std::span<const LineFailure> failed) const {
  const auto known = known_.find(line);
  return Weigh(failed, trust_, known == known_.end() ? 0 : known->second.freed);
}

void LostLines::PoisonIfBad(SlotRef slot, const EndedThere& ended_there) {
  const auto at = waiting_.find(slot);
  if (at == waiting_.end()) return;
  const Lost& lost = at->second;
  const FailureWeight weight = WeighAt(lost.line, lost.failed);
  if (weight.failures < options_.attempts) return;
  const uint32_t least =
      options_.attempts * (ended_there(lost) ? options_.patience_with_played : 1);
  for (const auto& [worker, failures] : weight.by) {
    if (failures >= least) withheld_[lost.line].emplace(worker);
  }
  if (weight.failures < least || weight.workers() < options_.attempts) return;
  PoisonedLine& known = known_[lost.line];
  known.line = lost.line;
  known.attempts = weight.failures;
  known.reason = lost.reason;
  known.failed = Joined(std::move(known.failed), lost.failed);
  to_write_.push_back(known);
  poisoned_.insert(lost.line);
  held_.insert(waiting_.extract(at));
}

void LostLines::PoisonBad(const EndedThere& ended_there) {
  std::vector<SlotRef> slots;
  for (const auto& entry : waiting_) slots.push_back(entry.first);
  for (const SlotRef& slot : slots) PoisonIfBad(slot, ended_there);
}

void LostLines::Apply(const PoisonedLine& line) {
  if (WeighAt(line.line, line.failed).workers() >= options_.attempts) {
    poisoned_.insert(line.line);
  } else {
    poisoned_.erase(line.line);
  }
}

void LostLines::Restore(std::span<const PoisonedLine> lines) {
  for (const PoisonedLine& line : lines) {
    known_.insert_or_assign(line.line, line);
    Apply(line);
  }
}

void LostLines::ReleaseHeld() {
  for (auto at = held_.begin(); at != held_.end();) {
    const auto held = at++;
    if (!IsPoisoned(held->second.line)) waiting_.insert(held_.extract(held));
  }
}

void LostLines::SetTrust(const Trust& trust) {
  if (trust.change() == trust_.change()) return;
  trust_ = trust;
  withheld_.clear();
  for (const auto& entry : known_) Apply(entry.second);
  ReleaseHeld();
}

size_t LostLines::Free(const std::optional<std::vector<Move>>& line, LeaseId next) {
  std::set<std::vector<Move>> lines = poisoned_;
  for (const auto& entry : withheld_) lines.insert(entry.first);
  if (line) {
    const bool is_out = lines.count(*line) != 0;
    lines = is_out ? std::set<std::vector<Move>>{*line} : std::set<std::vector<Move>>();
  }
  const size_t count = lines.size();
  if (!line) lines.emplace();
  for (const std::vector<Move>& freed : lines) {
    PoisonedLine& known = known_[freed];
    known.line = freed;
    known.freed = next;
    to_write_.push_back(known);
    poisoned_.erase(freed);
    withheld_.erase(freed);
  }
  ReleaseHeld();
  return count;
}

bool LostLines::Refuses(const std::vector<Move>& line, const std::string& worker) const {
  if (IsPoisoned(line)) return true;
  const auto withheld = withheld_.find(line);
  return withheld != withheld_.end() && withheld->second.count(worker) != 0;
}

std::vector<PoisonedLine> LostLines::Poisoned(size_t most) const {
  std::vector<PoisonedLine> lines;
  for (const std::vector<Move>& line : poisoned_) {
    if (lines.size() == most) break;
    lines.push_back(known_.at(line));
  }
  return lines;
}

std::vector<PoisonedLine> LostLines::TakePoisoned() { return std::exchange(to_write_, {}); }

}  // namespace joseki::coordinator
