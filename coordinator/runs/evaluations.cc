#include "coordinator/runs/evaluations.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "base/status_macros.h"
#include "coordinator/runs/failure_weight.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostLooked = 64;  // most doubtful positions examined for a worker
constexpr uint64_t kEverything = std::numeric_limits<uint64_t>::max();

// A set that contains every result.
PriorSet AllOf() { return {.evaluations = kEverything, .shared = kEverything}; }

}  // namespace

absl::StatusOr<Evaluations> Evaluations::Make(
    const Rules& rules, std::shared_ptr<const book::Graph> graph, book::NodeId start,
    int most_plies, const PriorSpec& spec, int attempts,
    std::shared_ptr<const book::ImportedValues> imported) {
  SearchedPositions positions = SearchedPositions::None(graph, start);
  if (spec.wanted()) {
    ASSIGN_OR_RETURN(positions, SearchedPositions::Make(rules, std::move(graph), start, most_plies,
                                                        spec.positions));
  }
  return Evaluations(std::move(positions), spec.nodes, static_cast<uint32_t>(attempts),
                     std::move(imported));
}

Evaluations::Evaluations(SearchedPositions positions, uint64_t nodes, uint32_t attempts,
                         std::shared_ptr<const book::ImportedValues> imported)
    : positions_(std::move(positions)),
      nodes_(nodes),
      attempts_(attempts),
      targets_(positions_.size()),
      renewed_(positions_.size()) {
  for (uint32_t i = 0; i < positions_.size(); ++i) waiting_.insert(i);
  count_.positions = positions_.size();
  assessments_.of_edge = positions_.of_edge();
  assessments_.of_target.resize(positions_.size());
  if (imported != nullptr) {
    count_.imported = static_cast<uint32_t>(
        std::count_if(imported->begin(), imported->end(),
                      [](const book::ImportedValue& value) { return value.known(); }));
  }
  assessments_.imported = std::move(imported);
}

std::optional<PlannedSlot> Evaluations::Next(const std::string& worker) {
  const std::optional<uint32_t> index =
      waiting_.empty() ? DoubtfulFor(worker) : std::optional(*waiting_.begin());
  if (!index) return std::nullopt;
  Change(*index, [this](Target& target) {
    ++target.opened;
    ++open_;
  });
  const Target& target = targets_[*index];
  PlannedSlot plan;
  plan.slot.kind = SlotKind::kEvaluation;
  plan.slot.nodes = nodes_;
  plan.slot.line = positions_.LineTo(*index);
  plan.failures = static_cast<uint32_t>(target.failed.size());
  return plan;
}

std::optional<uint32_t> Evaluations::DoubtfulFor(const std::string& worker) const {
  size_t looked = 0;
  for (const uint32_t index : doubtful_) {
    if (FailuresOf(targets_[index].failed, worker) < attempts_) return index;
    if (++looked == kMostLooked) break;
  }
  return std::nullopt;
}

template <typename Action>
void Evaluations::Change(uint32_t index, Action action) {
  Target& target = targets_[index];
  CountIn(index, -1);
  action(target);
  const Trust& trust = TrustOf(index);
  const bool done =
      std::any_of(target.results.begin(), target.results.end(), [&](const Evaluation& result) {
        return !result.older && !trust.Excludes(result.worker, result.lease);
      });
  const FailureWeight weight = Weigh(target.failed, trust);
  waiting_.erase(index);
  doubtful_.erase(index);
  if (done) {
    target.state = State::kDone;
  } else if (weight.failures >= attempts_) {
    target.state = State::kFailed;
    if (target.opened == 0 && weight.workers() < attempts_) doubtful_.insert(index);
  } else if (target.opened > 0) {
    target.state = State::kOpen;
  } else {
    target.state = State::kWaiting;
    waiting_.insert(index);
  }
  assessments_.of_target[index] = Assess(Standing(target, AllOf(), trust));
  CountIn(index, 1);
}

void Evaluations::CountIn(uint32_t index, int sign) {
  const Target& target = targets_[index];
  const auto add = [sign](uint32_t& count) { count += static_cast<uint32_t>(sign); };
  if (target.state == State::kFailed) add(count_.failed);
  const Evaluation* const result = Standing(target, AllOf(), TrustOf(index));
  if (result == nullptr) return;
  add(result->older ? count_.older : count_.done);
  if (result->score) add(count_.scored);
  if (!result->older && !result->score) add(count_.unscored);
}

void Evaluations::Close(Target& target) {
  if (target.opened == 0) return;
  --target.opened;
  --open_;
}

void Evaluations::Withdraw(const PlannedSlot& plan) { Lose(plan, /*open=*/true, std::nullopt); }

void Evaluations::Lose(const PlannedSlot& plan, bool open,
                       const std::optional<LineFailure>& failed) {
  const std::optional<uint32_t> index = positions_.Of(plan.slot.line);
  if (!index) return;
  Change(*index, [&](Target& target) {
    if (open) Close(target);
    if (failed) AddFailure(target.failed, *failed);
  });
}

void Evaluations::Reopen(const PlannedSlot& plan) {
  const std::optional<uint32_t> index = positions_.Of(plan.slot.line);
  if (!index) return;
  Change(*index, [&](Target& target) {
    ++target.opened;
    ++open_;
  });
}

void Evaluations::Add(const PlannedSlot& plan, bool open, Evaluation evaluation) {
  const std::optional<uint32_t> index = positions_.Of(plan.slot.line);
  if (!index) return;
  last_seq_ = std::max(last_seq_, evaluation.seq);
  ++results_;
  Change(*index, [&](Target& target) {
    if (open) Close(target);
    target.results.push_back(std::move(evaluation));
  });
}

void Evaluations::Load(const PackedPosition& position, Evaluation evaluation) {
  const std::optional<uint32_t> index = positions_.Of(position);
  if (!index) return;
  last_seq_ = std::max(last_seq_, evaluation.seq);
  ++results_;
  Change(*index, [&](Target& target) { target.results.push_back(std::move(evaluation)); });
}

void Evaluations::LoadFault(const PackedPosition& position, const LineFailure& failed) {
  const std::optional<uint32_t> index = positions_.Of(position);
  if (!index) return;
  Change(*index, [&](Target& target) { AddFailure(target.failed, failed); });
}

void Evaluations::SetTrust(const Trust& trust) {
  while (!SetTrust(trust, count_.positions)) {
  }
}

bool Evaluations::SetTrust(const Trust& trust, uint32_t most) {
  if (renewed_ == targets_.size()) {
    if (trust.change() == trust_.change()) return true;
    former_ = std::exchange(trust_, trust);
    renewed_ = 0;
  }
  // A change under way is finished first.
  for (uint32_t i = 0; i < most && renewed_ < targets_.size(); ++i) {
    Change(renewed_, [this](Target&) { ++renewed_; });
  }
  return renewed_ == targets_.size() && trust.change() == trust_.change();
}

uint64_t Evaluations::ResultsIn(const PriorSet& set) const {
  uint64_t results = 0;
  for (const Target& target : targets_) {
    results += static_cast<uint64_t>(
        std::count_if(target.results.begin(), target.results.end(), [&](const Evaluation& result) {
          return result.seq <= set.shared || result.seq <= set.evaluations;
        }));
  }
  return results;
}

const Evaluation* Evaluations::Standing(const Target& target, const PriorSet& set,
                                        const Trust& trust) {
  const Evaluation* standing = nullptr;
  for (const Evaluation& result : target.results) {
    // Every result up to `shared` existed when the run began, of whichever run.
    if (result.seq > set.shared && result.seq > set.evaluations) break;
    if (trust.Excludes(result.worker, result.lease)) continue;
    if (!result.older) return &result;
    standing = &result;
  }
  return standing;
}

Assessment Evaluations::Assess(const Evaluation* standing) {
  if (standing == nullptr || !standing->score) return {};
  return {standing->older ? Assessment::By::kOlderProfile : Assessment::By::kOwnProfile,
          *standing->score};
}

Assessments Evaluations::AssessmentsOf(const PriorSet& set, const Trust& trust) const {
  Assessments assessments{assessments_.of_edge, {}, assessments_.imported};
  assessments.of_target.reserve(targets_.size());
  for (const Target& target : targets_) {
    assessments.of_target.push_back(Assess(Standing(target, set, trust)));
  }
  return assessments;
}

const Evaluation* Evaluations::Of(book::EdgeId edge) const {
  const std::optional<uint32_t> index = positions_.Of(edge);
  return index ? Standing(targets_[*index], AllOf(), TrustOf(*index)) : nullptr;
}

}  // namespace joseki::coordinator
