#include "book/tuning/tuner.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace joseki::book {
namespace {

bool IsEvidence(const Ending& ending) {
  return ending.result != Result::kNone && !IsFault(ending.termination);
}

// Calls visit(edge, score) for every edge that the game is evidence of. Lines are short: looking
// back is faster than a set.
template <typename Visit>
void ForEachCredit(const Graph& graph, const TunedGame& game, Visit visit) {
  for (auto edge = game.edges.begin(); edge != game.edges.end(); ++edge) {
    if (std::find(game.edges.begin(), edge, *edge) != edge) continue;
    visit(*edge, ScoreFor(graph.edge(*edge).mover, game.ending));
  }
}

}  // namespace

Score ScoreFor(Color side, const Ending& ending) {
  assert(ending.result != Result::kNone);
  if (ending.result == Result::kDraw) return Score::kDraw;
  return ending.result == WinFor(side) ? Score::kWin : Score::kLoss;
}

Tuner::Tuner(std::shared_ptr<const Graph> graph, std::shared_ptr<const Policy> policy,
             std::shared_ptr<const Priors> priors)
    : graph_(std::move(graph)),
      policy_(std::move(policy)),
      staged_(!policy_->stages().empty()),
      arms_(graph_->edge_count()),
      priors_(std::move(priors)),
      settled_(policy_->estimator() == nullptr) {
  assert(!staged_ || policy_->estimator() == nullptr);
  for (EdgeId edge = 0; edge < arms_.size(); ++edge) {
    arms_[edge].base_weight = graph_->edge(edge).base_weight;
  }
  if (!staged_) return;
  frozen_.resize(arms_.size());
  synced_.resize(graph_->node_count());
}

std::span<const Arm> Tuner::arms(NodeId node) const {
  const Graph::Stop& at = graph_->stop(node);
  return arms().subspan(at.first, at.count);
}

Choices Tuner::choices(NodeId node) const {
  assert(settled_);
  if (values_) return values_->At(arms_, node);
  Choices choices(arms(node));
  choices.mover = graph_->stop(node).to_move;
  return choices;
}

Choices Tuner::selection(NodeId node) {
  if (!staged_) {
    Settle();
    return choices(node);
  }
  Sync(node);
  const Graph::Stop& at = graph_->stop(node);
  Choices choices(std::span<const Arm>(frozen_).subspan(at.first, at.count));
  choices.mover = at.to_move;
  return choices;
}

const Arm& Tuner::frozen(EdgeId edge) const {
  return staged_ && synced_[graph_->edge(edge).from] == freezes_ ? frozen_[edge] : arms_[edge];
}

void Tuner::Sync(NodeId node) {
  if (synced_[node] == freezes_) return;
  synced_[node] = freezes_;
  const std::span<const Arm> from = arms(node);
  std::copy(from.begin(), from.end(), frozen_.begin() + graph_->node(node).first);
}

bool Tuner::Apply(const TunedGame& game) {
  if (!IsEvidence(game.ending)) return false;
  const bool is_new = seen_.Insert(game.moves_hash);
  credited_.clear();
  touched_.clear();
  ForEachCredit(*graph_, game, [&](EdgeId edge, Score score) {
    if (staged_) Sync(graph_->edge(edge).from);
    if (is_new) {
      policy_->Credit(arms_[edge], score, game.stage);
      credited_.push_back(edge);
    } else {
      ++arms_[edge].evidence.repeats;
    }
  });
  if (!settled_) return Counts(*policy_, game.ending);
  if (values_) {
    values_->Update(arms_, credited_);
    touched_.assign(values_->touched().begin(), values_->touched().end());
  } else {
    for (const EdgeId edge : credited_) touched_.push_back(graph_->edge(edge).from);
  }
  return Counts(*policy_, game.ending);
}

void Tuner::AddInFlight(std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) {
    ++arms_[edge].in_flight;
    if (staged_ && synced_[graph_->edge(edge).from] == freezes_) ++frozen_[edge].in_flight;
  }
}

void Tuner::RemoveInFlight(std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) {
    assert(arms_[edge].in_flight > 0);
    --arms_[edge].in_flight;
    if (staged_ && synced_[graph_->edge(edge).from] == freezes_) --frozen_[edge].in_flight;
  }
}

void Tuner::Settle() {
  if (settled_) return;
  if (!values_) values_.emplace(*graph_, *policy_->estimator(), arms_, priors_);
  values_->Rebuild(arms_);
  settled_ = true;
}

void Tuner::SetPriors(std::shared_ptr<const Priors> priors) {
  if (policy_->estimator() == nullptr) return;
  priors_ = std::move(priors);
  if (!values_) return;  // Settle will take them
  values_->SetPriors(arms_, priors_);
  settled_ = true;
}

void Tuner::SwapValues(Values& values, std::shared_ptr<const Priors> priors) {
  assert(values_ && settled_);
  priors_ = std::move(priors);
  std::swap(*values_, values);
}

void Tuner::Freeze() { ++freezes_; }

void Tuner::Load(EdgeId edge, int64_t sum, const Evidence& evidence) {
  if (policy_->estimator() != nullptr) settled_ = false;
  arms_[edge].sum = sum;
  arms_[edge].evidence = evidence;
}

void Tuner::LoadSeen(std::span<const uint64_t> moves_hashes) { seen_.Insert(moves_hashes); }

void Tuner::LoadFrozen(EdgeId edge, int64_t sum, const Evidence& evidence) {
  assert(staged_);
  Sync(graph_->edge(edge).from);
  frozen_[edge].sum = sum;
  frozen_[edge].evidence = evidence;
}

std::optional<Values> ValuesOf(const Graph& graph, const Policy& policy, std::span<const Arm> arms,
                               std::shared_ptr<const Priors> priors) {
  if (policy.estimator() == nullptr) return std::nullopt;
  std::optional<Values> values(std::in_place, graph, *policy.estimator(), arms, std::move(priors));
  values->Rebuild(arms);
  return values;
}

}  // namespace joseki::book
