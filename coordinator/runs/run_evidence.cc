#include "coordinator/runs/run_evidence.h"

#include <utility>

#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {

RunEvidence::RunEvidence(std::unique_ptr<book::Tuner> tuner, RunCounters counters, Trust trust,
                         const RunRow& row, RunCalibration calibration)
    : tuner_(std::move(tuner)),
      counters_(std::move(counters)),
      trust_(std::move(trust)),
      calibration_(std::move(calibration)),
      unwritten_(tuner_->graph().edge_count()),
      weights_(*tuner_, /*shares=*/row.spec.play.opponent.has_value(), row.stage) {
  tuner_->ComputeValues();
  if (!tuner_->policy().stages().empty()) stage_ = row.stage;
  const StopRules& stop = row.spec.stop;
  if (stop.least_gain > 0) {
    prospects_.emplace(tuner_->graph(), tuner_->policy().draw_value(), stop.settling);
    prospects_->Rebuild(*tuner_);
  }
  if (stop.least_change > 0 && stage_) {
    changes_.emplace(tuner_->graph());
    changes_->Rebuild(*tuner_);
  }
}

absl::Duration RunEvidence::mean_game() const {
  if (counters_.games == 0) return absl::ZeroDuration();
  return absl::Milliseconds(counters_.think_ms) / static_cast<double>(counters_.games);
}

std::optional<Expectation> RunEvidence::Add(const GameRow& game,
                                            std::span<const book::EdgeId> line) {
  unwritten_.Reach(game.commit_seq);
  const book::Graph& graph = tuner_->graph();
  const bool excluded = trust_.Excludes(game.worker, game.lease);
  Count(tuner_->policy(), game, excluded, counters_);
  if (excluded || IsFault(game.ending.termination)) return std::nullopt;
  calibration_.Add(game);
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
  if (prospects_) prospects_->Update(*tuner_, tuner_->credited());
  if (changes_) changes_->Update(*tuner_, tuner_->credited());
  weights_.Follow();
  if (tuner_->distinct_games() != distinct) unwritten_.AddSeen(game.moves_hash);
  unwritten_.Mark(edges);
  if (watched_) {
    watched_->insert(watched_->end(), edges.begin(), edges.end());
    // Folded images: their pooled arms have changed too.
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
  weights_.BeginStage(stage);
}

void RunEvidence::SwapPriors(std::shared_ptr<const book::Priors> priors,
                             std::optional<book::Values>& values) {
  if (!values) return;  // only a policy with an estimator reads priors
  tuner_->SwapValues(*values, std::move(priors));
  weights_.Forget();  // any weight may have changed
}

std::optional<double> RunEvidence::gain_left() const {
  if (!prospects_) return std::nullopt;
  return prospects_->Left(tuner_->distinct_games());
}

std::optional<double> RunEvidence::answers_changed() const {
  if (!changes_) return std::nullopt;
  return changes_->Share();
}

EvidenceRow RunEvidence::RowOf(book::EdgeId edge) const {
  const book::Arm& arm = tuner_->arms()[edge];
  EvidenceRow row{edge, arm.sum, arm.evidence, seq(), -1, 0, {}};
  if (!stage_) return row;
  const book::Arm& frozen = tuner_->frozen(edge);
  row.stage = *stage_;
  row.frozen_sum = frozen.sum;
  row.frozen_evidence = frozen.evidence;
  return row;
}

}  // namespace joseki::coordinator
