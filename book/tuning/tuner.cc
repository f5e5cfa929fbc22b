#include "book/tuning/tuner.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace joseki::book {
namespace {

bool IsEvidence(const Ending& ending) {
  return ending.result != Result::kNone && !IsFault(ending.termination);
}

// Calls visit(edge, score) for each edge that the game credits. Lines are short, so a linear search
// for repetitions is faster than a set.
template <typename Visit>
void ForEachCredit(const Graph& graph, const TunedGame& game, Visit visit) {
  for (auto edge = game.edges.begin(); edge != game.edges.end(); ++edge) {
    if (std::find(game.edges.begin(), edge, *edge) != edge) continue;
    visit(*edge, ScoreFor(graph.edge(*edge).mover, game.ending));
  }
}

// The arms of a book that no game went through.
std::vector<Arm> UnplayedArms(const Graph& graph) {
  std::vector<Arm> arms(graph.edge_count());
  for (EdgeId edge = 0; edge < arms.size(); ++edge) {
    arms[edge].base_weight = graph.edge(edge).base_weight;
  }
  return arms;
}

}  // namespace

Score ScoreFor(Color side, const Ending& ending) {
  assert(ending.result != Result::kNone);
  if (ending.result == Result::kDraw) return Score::kDraw;
  return ending.result == WinFor(side) ? Score::kWin : Score::kLoss;
}

Tuner::Tuner(std::shared_ptr<const Graph> graph, std::shared_ptr<const Policy> policy,
             std::shared_ptr<const Priors> priors, std::shared_ptr<const Orbits> orbits)
    : graph_(std::move(graph)),
      policy_(std::move(policy)),
      arms_(UnplayedArms(*graph_), std::move(orbits)),
      priors_(std::move(priors)),
      values_ready_(policy_->estimator() == nullptr) {
  assert(arms_.orbits() == nullptr || policy_->order_free());
  if (policy_->stages().empty()) return;
  assert(policy_->estimator() == nullptr);
  frozen_.emplace(graph_, arms_.orbits());
}

std::span<const Arm> Tuner::arms(NodeId node) const {
  const Graph::Stop& at = graph_->stop(node);
  return arms().subspan(at.first, at.count);
}

Choices Tuner::choices(NodeId node) const {
  assert(values_ready_);
  if (values_) return values_->At(pooled(), node);
  const Graph::Stop& at = graph_->stop(node);
  Choices choices(pooled().subspan(at.first, at.count));
  choices.mover = at.to_move;
  return choices;
}

Choices Tuner::selection(NodeId node) {
  if (!frozen_) {
    ComputeValues();
    return choices(node);
  }
  Choices choices(frozen_->At(arms_, node));
  choices.mover = graph_->stop(node).to_move;
  return choices;
}

const Arm& Tuner::frozen(EdgeId edge) const {
  return frozen_ ? frozen_->Own(arms_, edge) : arms()[edge];
}

bool Tuner::Apply(const TunedGame& game) {
  if (!IsEvidence(game.ending)) return false;
  const bool is_new = seen_.Insert(game.moves_hash);
  credited_.clear();
  touched_.clear();
  ForEachCredit(*graph_, game, [&](EdgeId edge, Score score) {
    if (frozen_) frozen_->Hold(arms_, edge);
    if (!is_new) {
      arms_.Change(edge, [](Arm& arm) { ++arm.evidence.repeats; });
      return;
    }
    arms_.Change(edge, [&](Arm& arm) { policy_->Credit(arm, score, game.stage); });
    const std::span<const EdgeId> others = arms_.OthersOf(edge);
    credited_.push_back(edge);
    credited_.insert(credited_.end(), others.begin(), others.end());
  });
  if (!values_ready_) return Counts(*policy_, game.ending);
  if (values_) {
    values_->Update(pooled(), credited_);
    touched_.assign(values_->touched().begin(), values_->touched().end());
  } else {
    for (const EdgeId edge : credited_) touched_.push_back(graph_->edge(edge).from);
  }
  return Counts(*policy_, game.ending);
}

void Tuner::ChangeInFlight(EdgeId edge, uint32_t by) {
  arms_.ChangeInFlight(edge, by, [](EdgeId) { return true; });
  if (frozen_) frozen_->ChangeInFlight(edge, by);
}

void Tuner::AddInFlight(std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) ChangeInFlight(edge, 1);
}

void Tuner::RemoveInFlight(std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) {
    assert(arms()[edge].in_flight > 0);
    ChangeInFlight(edge, uint32_t{0} - 1);
  }
}

void Tuner::ComputeValues() {
  if (values_ready_) return;
  if (!values_) values_.emplace(*graph_, *policy_->estimator(), pooled(), priors_);
  values_->Rebuild(pooled());
  values_ready_ = true;
}

void Tuner::SetPriors(std::shared_ptr<const Priors> priors) {
  if (policy_->estimator() == nullptr) return;
  priors_ = std::move(priors);
  if (!values_) return;  // ComputeValues will use them
  values_->SetPriors(pooled(), priors_);
  values_ready_ = true;
}

void Tuner::SwapValues(Values& values, std::shared_ptr<const Priors> priors) {
  assert(values_ && values_ready_);
  priors_ = std::move(priors);
  std::swap(*values_, values);
}

void Tuner::Load(EdgeId edge, int64_t sum, const Evidence& evidence) {
  if (policy_->estimator() != nullptr) values_ready_ = false;
  arms_.Change(edge, [&](Arm& arm) {
    arm.sum = sum;
    arm.evidence = evidence;
  });
}

void Tuner::LoadFrozen(EdgeId edge, int64_t sum, const Evidence& evidence) {
  assert(frozen_);
  frozen_->Load(arms_, edge, sum, evidence);
}

std::optional<Values> ValuesOf(const Graph& graph, const Policy& policy, std::span<const Arm> arms,
                               std::shared_ptr<const Priors> priors) {
  if (policy.estimator() == nullptr) return std::nullopt;
  std::optional<Values> values(std::in_place, graph, *policy.estimator(), arms, std::move(priors));
  values->Rebuild(arms);
  return values;
}

}  // namespace joseki::book
