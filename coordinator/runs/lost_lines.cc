#include "coordinator/runs/lost_lines.h"

#include <utility>

namespace joseki::coordinator {

void LostLines::Add(Lost lost) {
  if (IsPoisoned(lost.line)) return;
  const SlotRef slot = lost.slot;
  waiting_.insert_or_assign(slot, std::move(lost));
}

std::optional<LostLines::Lost> LostLines::Next() {
  while (!waiting_.empty()) {
    Lost lost = std::move(waiting_.extract(waiting_.begin()).mapped());
    // Another slot's failures may have poisoned the line meanwhile.
    if (!IsPoisoned(lost.line)) return lost;
  }
  return std::nullopt;
}

void LostLines::PoisonIfBad(SlotRef slot, const EndedThere& ended_there) {
  const auto at = waiting_.find(slot);
  if (at == waiting_.end()) return;
  const Lost& lost = at->second;
  if (lost.failures < options_.attempts) return;
  if (lost.failures < options_.attempts * options_.patience_with_played && ended_there(lost)) {
    return;
  }
  newly_poisoned_.push_back({lost.line, lost.failures, lost.reason});
  poisoned_.emplace(lost.line, newly_poisoned_.back());
  waiting_.erase(at);
}

void LostLines::PoisonBad(const EndedThere& ended_there) {
  std::vector<SlotRef> slots;
  for (const auto& entry : waiting_) slots.push_back(entry.first);
  for (const SlotRef& slot : slots) PoisonIfBad(slot, ended_there);
}

void LostLines::Restore(std::span<const PoisonedLine> lines) {
  for (const PoisonedLine& line : lines) poisoned_.emplace(line.line, line);
}

std::vector<PoisonedLine> LostLines::Poisoned(size_t most) const {
  std::vector<PoisonedLine> lines;
  for (const auto& [moves, line] : poisoned_) {
    if (lines.size() == most) break;
    lines.push_back(line);
  }
  return lines;
}

std::vector<PoisonedLine> LostLines::TakePoisoned() { return std::exchange(newly_poisoned_, {}); }

}  // namespace joseki::coordinator
