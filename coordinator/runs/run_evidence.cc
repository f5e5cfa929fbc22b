#include "coordinator/runs/run_evidence.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {

RunEvidence::RunEvidence(std::unique_ptr<book::Tuner> tuner, RunCounters counters, Trust trust,
                         const RunRow& row)
    : tuner_(std::move(tuner)),
      counters_(std::move(counters)),
      trust_(std::move(trust)),
      marks_(tuner_->graph().edge_count()),
      staged_(!tuner_->policy().stages().empty()),
      shares_(row.spec.play.opponent.has_value()),
      anew_(shares_ && staged_),
      stage_(row.stage) {
  tuner_->ComputeValues();
  const StopRules& stop = row.spec.stop;
  if (stop.least_gain > 0) {
    prospects_.emplace(tuner_->graph(), tuner_->policy().draw_value(), stop.settling);
    prospects_->Rebuild(tuner_->pooled());
  }
  if (stop.least_change > 0 && staged_) {
    changes_.emplace(tuner_->graph());
    changes_->Rebuild(*tuner_);
  }
}

std::optional<Expectation> RunEvidence::Add(const GameRow& game,
                                            std::span<const book::EdgeId> line) {
  const book::Graph& graph = tuner_->graph();
  const bool excluded = trust_.Excludes(game.worker, game.lease);
  Count(tuner_->policy(), game, excluded, counters_);
  if (excluded || IsFault(game.ending.termination)) return std::nullopt;
  std::optional<Expectation> expectation;
  if (!line.empty() && (!game.own || graph.edge(line.back()).mover == *game.own)) {
    const Color mover = graph.edge(line.back()).mover;
    expectation =
        Expectation{book::ScoreFor(mover, game.ending), tuner_->arms()[line.back()].evidence};
  }
  std::vector<book::EdgeId> both;
  if (!game.reentered.empty() || game.own) {
    both.assign(line.begin(), line.end());
    both.insert(both.end(), game.reentered.begin(), game.reentered.end());
    book::KeepOwn(graph, game.own, both);
  }
  const std::span<const book::EdgeId> edges =
      both.empty() && !game.own ? line : std::span(std::as_const(both));
  const size_t distinct = tuner_->distinct_games();
  tuner_->Apply({edges, game.ending, game.stage, game.moves_hash});
  if (prospects_) prospects_->Update(tuner_->pooled(), tuner_->credited());
  if (changes_) changes_->Update(*tuner_, tuner_->credited());
  FollowWeights();
  if (tuner_->distinct_games() != distinct) seen_.push_back(game.moves_hash);
  for (const book::EdgeId edge : edges) MarkChanged(edge);
  if (watched_) {
    watched_->insert(watched_->end(), edges.begin(), edges.end());
    // Where images are folded, their pooled arms are others now as well.
    if (tuner_->orbits() != nullptr) {
      watched_->insert(watched_->end(), tuner_->credited().begin(), tuner_->credited().end());
    }
  }
  return expectation;
}

void RunEvidence::BeginStage(int stage) {
  stage_ = stage;
  tuner_->Freeze();
  if (changes_) changes_->Begin();
  if (anew_) ForgetWeights();  // they are drawn with the stage's noise
}

void RunEvidence::SwapPriors(std::shared_ptr<const book::Priors> priors,
                             std::optional<book::Values>& values) {
  if (!values) return;  // no policy without an estimator looks at priors
  tuner_->SwapValues(*values, std::move(priors));
  ForgetWeights();  // any of them may be another one now
}

std::optional<double> RunEvidence::gain_left() const {
  if (!prospects_) return std::nullopt;
  return prospects_->Left(tuner_->distinct_games());
}

std::optional<double> RunEvidence::answers_changed() const {
  if (!changes_) return std::nullopt;
  return changes_->Share();
}

std::vector<book::EdgeId> RunEvidence::TakeChanged() {
  ++take_;
  return std::exchange(changed_, {});
}

std::vector<uint64_t> RunEvidence::TakeSeen() { return std::exchange(seen_, {}); }

void RunEvidence::MarkChanged(book::EdgeId edge) {
  if (std::exchange(marks_[edge], take_) != take_) changed_.push_back(edge);
}

void RunEvidence::ReturnSeen(std::vector<uint64_t> seen) {
  seen.insert(seen.end(), seen_.begin(), seen_.end());  // in order of commit
  seen_ = std::move(seen);
}

void RunEvidence::FollowWeights() {
  if (anew_) return;
  if (weights_) {
    SetWeights(tuner_->touched());
  } else if (credited_) {
    credited_->insert(tuner_->touched().begin(), tuner_->touched().end());
  }
}

void RunEvidence::SetWeights(std::span<const book::NodeId> nodes) {
  if (shares_) {
    book::SetShares(*tuner_, stage_, nodes, *weights_);
  } else {
    book::SetWeights(*tuner_, nodes, *weights_);
  }
}

void RunEvidence::ForgetWeights() {
  weighed_ = 0;
  credited_.reset();
}

void RunEvidence::Weigh(book::NodeId most) {
  const auto count = static_cast<book::NodeId>(tuner_->graph().node_count());
  if (!weights_) {
    weights_.emplace(tuner_->graph().edge_count());
    weighed_ = 0;
    credited_.reset();
  }
  std::vector<book::NodeId> nodes(std::min(most, count - weighed_));
  std::iota(nodes.begin(), nodes.end(), weighed_);
  SetWeights(nodes);
  weighed_ += static_cast<book::NodeId>(nodes.size());
}

book::Weights RunEvidence::TakeWeights(const book::Weights* last) {
  if (WantsWeightsCopy() && last != nullptr) GiveWeightsCopy(*last);
  Weigh();
  book::Weights taken = *std::exchange(weights_, std::nullopt);
  credited_.emplace();
  taken_ = true;
  return taken;
}

void RunEvidence::GiveWeightsCopy(book::Weights copy) {
  assert(WantsWeightsCopy());
  weights_ = std::move(copy);
  if (!credited_) return;  // all are to be worked out
  const std::vector<book::NodeId> nodes(credited_->begin(), credited_->end());
  SetWeights(nodes);
  credited_.reset();
}

}  // namespace joseki::coordinator
