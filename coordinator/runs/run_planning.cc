// The choice of a run's next slots, and the number of those left.
#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "base/rng.h"
#include "book/tuning/line.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/run_state.h"

namespace joseki::coordinator {
namespace {

constexpr std::string_view kNoLineLeft =
    "waits: every line has failed with three workers or more (`joseki run free` gives them out "
    "again)";

// Rules for lines of the run's own side (nullopt: both).
book::LineRules LineRulesOf(const RunSpec& spec, const RunBook& book, std::optional<Color> own) {
  book::LineRules rules{spec.deviation, LinePlies(spec), spec.stop.settling};
  if (own) {
    rules.own = own;
    rules.opponent = book.opponent.get();
    rules.opponent_rules = spec.play.opponent->rules;
  }
  return rules;
}

}  // namespace

uint64_t RunState::Available(SlotKinds kinds) const {
  const RunLimits limits{row_, book_, *evidence_, searches_, match_};
  const uint64_t games = lines_.exhausted() ? 0 : limits.GamesLeft(open_);
  // A search would come too late if no further game can be granted.
  if (games == 0) return 0;
  const bool trials = evidence_->calibration().WhyNoTrials().empty();
  const uint64_t searches = searches_.Available(kinds, evidence_->counters().games + open_, trials);
  return games + std::min(searches, std::numeric_limits<uint64_t>::max() - games);
}

std::vector<PlannedSlot> RunState::Plan(LeaseId lease, uint32_t most, SlotKinds kinds,
                                        const std::string& worker) {
  std::vector<PlannedSlot> slots;
  const RunLimits limits{row_, book_, *evidence_, searches_, match_};
  uint64_t games = lines_.exhausted() ? 0 : limits.GamesLeft(open_);
  const bool trials = evidence_->calibration().WhyNoTrials().empty();
  searches_.PlanFor(limits.ExpectedGames());
  while (slots.size() < most && games > 0) {
    const auto number = static_cast<uint32_t>(slots.size());
    Rng rng = Rng(row_.spec.seed).Split(lease).Split(number);
    const uint64_t played = evidence_->counters().games + open_;
    std::optional<PlannedSlot> plan = searches_.Next(kinds, played, trials, worker, rng);
    if (plan) {
      plan->slot.seed = rng.Next();
    } else {
      plan = PlanGame(worker, OwnSideOf(row_.spec.play.opponent, lease, number), rng);
      --games;
    }
    if (!plan) break;
    plan->slot.slot = number;
    plan->slot.start = row_.spec.start;
    slots.push_back(*std::move(plan));
  }
  return slots;
}

std::optional<PlannedSlot> RunState::PlanGame(const std::string& worker, std::optional<Color> own,
                                              Rng& rng) {
  PlannedSlot plan;
  plan.slot.seed = rng.Next();
  plan.slot.weights_version = weights_.version();
  plan.slot.own = own;
  plan.evidence_seq = book_.stages() > 0 ? row_.stage_seq : evidence_->seq();
  if (match_) {
    if (!match_->Next(plan.slot)) return std::nullopt;
  } else if (std::optional<LostLines::Lost> lost = lines_.lost().Next(worker)) {
    plan.replaces = lost->slot;
    plan.slot.line = std::move(lost->line);
    plan.slot.excluded = std::move(lost->excluded);
    plan.slot.own = lost->own;
    plan.failures = lost->failures;
    plan.failed = std::move(lost->failed);
  } else {
    const book::LineRules rules = LineRulesOf(row_.spec, book_, own);
    const auto choose = [&](Rng& chance, const book::LineFilter& refused) {
      return book::ChooseLine(evidence_->tuner(), book_.start, row_.stage, rules, chance, refused);
    };
    std::optional<book::Line> line = lines_.Choose(worker, rng, choose);
    if (!line) {
      if (lines_.exhausted()) row_.reason = kNoLineLeft;
      return std::nullopt;
    }
    plan.slot.line = std::move(line->moves);
    plan.slot.excluded = std::move(line->excluded);
    plan.edges = std::move(line->edges);
  }
  SetOpen(plan, true);
  return plan;
}

void RunState::Withdraw(std::vector<PlannedSlot> slots) {
  for (PlannedSlot& plan : slots) {
    if (plan.IsCopy()) continue;
    if (IsSearch(plan.slot.kind)) {
      searches_.Withdraw(plan);
      continue;
    }
    SetOpen(plan, false);
    if (match_) match_->GiveBack(plan.slot, std::nullopt);
    if (plan.replaces.lease == 0) continue;
    lines_.lost().Add({plan.replaces, std::move(plan.slot.line), std::move(plan.slot.excluded),
                       plan.failures, plan.slot.own, /*reason=*/{}, std::move(plan.failed)});
  }
}

}  // namespace joseki::coordinator
