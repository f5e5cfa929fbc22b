#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "book/graph.h"
#include "book/tuning/prospects.h"
#include "book/tuning/tuner.h"
#include "book/tuning/values.h"
#include "coordinator/model/rows.h"
#include "coordinator/runs/run_calibration.h"
#include "coordinator/runs/unwritten_changes.h"
#include "coordinator/runs/working_weights.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/run_counters.h"

namespace joseki::coordinator {

// A game's score for the side that played the line's last move, and that move's evidence before the
// game.
struct Expectation {
  book::Score score = book::Score::kDraw;
  book::Evidence before;
};

// Evidence of a run's games: arms, counters, changes not yet in a checkpoint, measures of the
// stopping rules, and weights. Guarded by the owner's mutex. Unless stated otherwise, no function
// takes longer for a larger book.
class RunEvidence {
 public:
  // Takes time in proportion to the book, and computes the tuner's values.
  RunEvidence(std::unique_ptr<book::Tuner> tuner, RunCounters counters, Trust trust,
              const RunRow& row, RunCalibration calibration = {});

  const book::Tuner& tuner() const { return *tuner_; }
  book::Tuner& tuner() { return *tuner_; }
  const RunCounters& counters() const { return counters_; }
  const Trust& trust() const { return trust_; }
  const RunCalibration& calibration() const { return calibration_; }
  // commit_seq of the run's last game, whether it is evidence or not.
  uint64_t seq() const { return unwritten_.seq(); }
  // Mean time of a game in its engine so far; zero before the first game.
  absl::Duration mean_game() const;

  // Adds a committed game. `line`: the edges of its first book_plies moves. Nullopt if the game is
  // no evidence, or its line does not end with a move of the run's own side.
  std::optional<Expectation> Add(const GameRow& game, std::span<const book::EdgeId> line);
  // Begins a stage, whose selection is by the evidence as of now.
  void BeginStage(int stage);

  // Begins (again) to note the edges whose pooled arms are changed by games; Unwatch ends it.
  void Watch() { watched_.emplace(); }
  void Unwatch() { watched_.reset(); }
  bool watching() const { return watched_.has_value(); }
  std::vector<book::EdgeId> TakeWatched() { return std::exchange(*watched_, {}); }
  // Swaps in new priors and their values; returns the old values in `values`. Destroy them outside
  // the mutex. New values include the evidence as of now. Nullopt: the policy has none.
  void SwapPriors(std::shared_ptr<const book::Priors> priors, std::optional<book::Values>& values);

  // Measures of the stopping rules; nullopt if the specification does not ask for them.
  std::optional<double> gain_left() const;
  std::optional<double> answers_changed() const;

  const UnwrittenChanges& unwritten() const { return unwritten_; }
  UnwrittenChanges& unwritten() { return unwritten_; }
  UnwrittenChanges::Taken TakeChanges() { return unwritten_.Take(counters_); }
  // The move's row in a checkpoint of the games up to now.
  EvidenceRow RowOf(book::EdgeId edge) const;

  // Working weights; empty unless the run has re-entry.
  const WorkingWeights& weights() const { return weights_; }
  WorkingWeights& weights() { return weights_; }

 private:
  const std::unique_ptr<book::Tuner> tuner_;
  RunCounters counters_;
  Trust trust_;  // trust that the evidence is of
  RunCalibration calibration_;
  std::optional<int> stage_;  // nullopt: the rule has none
  std::optional<book::Prospects> prospects_;
  std::optional<book::AnswerChanges> changes_;
  UnwrittenChanges unwritten_;
  WorkingWeights weights_;
  std::optional<std::vector<book::EdgeId>> watched_;
};

}  // namespace joseki::coordinator
