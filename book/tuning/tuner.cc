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

// The evidence of both arms, with the base weight of the first.
Arm Sum(Arm arm, const Arm& other) {
  arm.sum += other.sum;
  arm.evidence += other.evidence;
  arm.in_flight += other.in_flight;
  return arm;
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
      staged_(!policy_->stages().empty()),
      arms_(graph_->edge_count()),
      orbits_(std::move(orbits)),
      priors_(std::move(priors)),
      values_ready_(policy_->estimator() == nullptr) {
  assert(!staged_ || policy_->estimator() == nullptr);
  for (EdgeId edge = 0; edge < arms_.size(); ++edge) {
    arms_[edge].base_weight = graph_->edge(edge).base_weight;
  }
  assert(orbits_ == nullptr || (orbits_->size() == arms_.size() && policy_->order_free()));
  if (orbits_ != nullptr) pooled_ = arms_;
  if (!staged_) return;
  frozen_.resize(arms_.size());
  frozen_pooled_.resize(pooled_.size());
  synced_.resize(graph_->node_count());
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
  if (!staged_) {
    ComputeValues();
    return choices(node);
  }
  Sync(node);
  const Graph::Stop& at = graph_->stop(node);
  const std::span<const Arm> seen = orbits_ != nullptr ? frozen_pooled_ : frozen_;
  Choices choices(seen.subspan(at.first, at.count));
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
  const EdgeId first = graph_->node(node).first;
  std::copy(from.begin(), from.end(), frozen_.begin() + first);
  if (orbits_ == nullptr) return;
  std::copy_n(pooled_.begin() + first, from.size(), frozen_pooled_.begin() + first);
}

void Tuner::SyncOrbit(EdgeId edge) {
  Sync(graph_->edge(edge).from);
  for (const EdgeId other : OthersOf(edge)) Sync(graph_->edge(other).from);
}

void Tuner::Pool(std::span<const Arm> own, EdgeId edge, std::vector<Arm>& pooled) const {
  const auto pool = [&](EdgeId at) {
    pooled[at] = own[at];
    for (const EdgeId other : OthersOf(at)) pooled[at] = Sum(pooled[at], own[other]);
  };
  pool(edge);
  for (const EdgeId other : OthersOf(edge)) pool(other);
}

bool Tuner::Apply(const TunedGame& game) {
  if (!IsEvidence(game.ending)) return false;
  const bool is_new = seen_.Insert(game.moves_hash);
  credited_.clear();
  touched_.clear();
  ForEachCredit(*graph_, game, [&](EdgeId edge, Score score) {
    if (staged_) SyncOrbit(edge);
    if (is_new) {
      policy_->Credit(arms_[edge], score, game.stage);
      credited_.push_back(edge);
      credited_.insert(credited_.end(), OthersOf(edge).begin(), OthersOf(edge).end());
    } else {
      ++arms_[edge].evidence.repeats;
    }
    if (orbits_ != nullptr) Pool(arms_, edge, pooled_);
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
  const auto synced = [this](EdgeId at) {
    return staged_ && synced_[graph_->edge(at).from] == freezes_;
  };
  arms_[edge].in_flight += by;
  if (synced(edge)) frozen_[edge].in_flight += by;
  if (orbits_ == nullptr) return;
  const auto change = [&](EdgeId at) {
    pooled_[at].in_flight += by;
    if (synced(at)) frozen_pooled_[at].in_flight += by;
  };
  change(edge);
  for (const EdgeId other : OthersOf(edge)) change(other);
}

void Tuner::AddInFlight(std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) ChangeInFlight(edge, 1);
}

void Tuner::RemoveInFlight(std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) {
    assert(arms_[edge].in_flight > 0);
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

void Tuner::Freeze() { ++freezes_; }

void Tuner::Load(EdgeId edge, int64_t sum, const Evidence& evidence) {
  if (policy_->estimator() != nullptr) values_ready_ = false;
  arms_[edge].sum = sum;
  arms_[edge].evidence = evidence;
  if (orbits_ != nullptr) Pool(arms_, edge, pooled_);
}

void Tuner::LoadSeen(std::span<const uint64_t> moves_hashes) { seen_.Insert(moves_hashes); }

void Tuner::LoadFrozen(EdgeId edge, int64_t sum, const Evidence& evidence) {
  assert(staged_);
  SyncOrbit(edge);
  frozen_[edge].sum = sum;
  frozen_[edge].evidence = evidence;
  if (orbits_ != nullptr) Pool(frozen_, edge, frozen_pooled_);
}

std::optional<Values> ValuesOf(const Graph& graph, const Policy& policy, std::span<const Arm> arms,
                               std::shared_ptr<const Priors> priors) {
  if (policy.estimator() == nullptr) return std::nullopt;
  std::optional<Values> values(std::in_place, graph, *policy.estimator(), arms, std::move(priors));
  values->Rebuild(arms);
  return values;
}

}  // namespace joseki::book
