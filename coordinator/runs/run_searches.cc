#include "coordinator/runs/run_searches.h"

namespace joseki::coordinator {
namespace {

// Number of searches along lines that are offered beside games when some are due.
constexpr uint64_t kAlongLinesAtOnce = 64;

// Whether a worker accepts every kind of search along lines.
bool SearchesLines(SlotKinds kinds) {
  return kinds.Has(SlotKind::kEvaluation) && kinds.Has(SlotKind::kReply) &&
         kinds.Has(SlotKind::kTrial);
}

}  // namespace

SearchSlots* RunSearches::slots() const {
  if (along_lines_ != nullptr) return along_lines_.get();
  return evaluations_.get();
}

uint64_t RunSearches::Available(SlotKinds kinds, uint64_t games, bool trials) const {
  if (along_lines_ != nullptr && SearchesLines(kinds) && along_lines_->AreDue(games, trials)) {
    return kAlongLinesAtOnce;
  }
  if (evaluations_ == nullptr || !kinds.Has(SlotKind::kEvaluation)) return 0;
  return evaluations_->Available();
}

std::optional<PlannedSlot> RunSearches::Next(SlotKinds kinds, uint64_t games, bool trials,
                                             const std::string& worker, Rng& rng) {
  if (evaluations_ != nullptr && kinds.Has(SlotKind::kEvaluation)) {
    if (std::optional<PlannedSlot> plan = evaluations_->Next(worker)) return plan;
  }
  if (along_lines_ == nullptr || !SearchesLines(kinds)) return std::nullopt;
  if (!along_lines_->AreDue(games, trials)) return std::nullopt;
  return along_lines_->Next(trials, worker, rng);
}

void RunSearches::Lose(const PlannedSlot& plan, bool open,
                       const std::optional<LineFailure>& failed) {
  if (SearchSlots* const all = slots()) all->Lose(plan, open, failed);
}

void RunSearches::Reopen(const PlannedSlot& plan) {
  if (SearchSlots* const all = slots()) all->Reopen(plan);
}

void RunSearches::Add(const PlannedSlot& plan, bool open, Evaluation evaluation) {
  evaluations_->Add(plan, open, std::move(evaluation));
}

void RunSearches::Add(const PlannedSlot& plan, bool open, const LineSearch& found) {
  along_lines_->Add(plan, open, found);
}

void RunSearches::Confirm(const PlannedSlot& copy, const LineSearch& again) {
  if (along_lines_ != nullptr) along_lines_->Confirm(copy, again);
}

bool RunSearches::SetTrust(const Trust& trust, uint32_t most) {
  if (evaluations_ != nullptr && !evaluations_->SetTrust(trust, most)) return false;
  return along_lines_ == nullptr || along_lines_->SetTrust(trust, most);
}

}  // namespace joseki::coordinator
