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
#include "coordinator/runs/unwritten_changes.h"
#include "coordinator/runs/working_weights.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// How a game went for the side that played its line's last move, and what earlier games say of that
// move.
struct Expectation {
  book::Score score = book::Score::kDraw;
  book::Evidence before;
};

// What the games of one run have said so far: the evidence of its moves and the counters, what of
// them no checkpoint has yet, what the rules of its end look at, and the weights that follow from
// them. Guarded by the owner's mutex; but for what says otherwise, no verb takes longer for a
// larger book.
class RunEvidence {
 public:
  // In proportion to the book. Computes the tuner's values.
  RunEvidence(std::unique_ptr<book::Tuner> tuner, RunCounters counters, Trust trust,
              const RunRow& row);

  const book::Tuner& tuner() const { return *tuner_; }
  book::Tuner& tuner() { return *tuner_; }
  const RunCounters& counters() const { return counters_; }
  const Trust& trust() const { return trust_; }
  // commit_seq of the last game of the run, whether it is evidence or not.
  uint64_t seq() const { return unwritten_.seq(); }
  // The mean time of a game in its engine so far; zero before the first.
  absl::Duration mean_game() const;

  // A game was committed; `line`: the edges of its first book_plies moves. Nullopt where it is no
  // evidence, or has no line that ends with a move of the run's own side.
  std::optional<Expectation> Add(const GameRow& game, std::span<const book::EdgeId> line);
  // A stage begins, and is selected for by what is known now.
  void BeginStage(int stage);

  // Notes the edges whose pooled arms games change from now on (again), until they are taken for
  // the last time.
  void Watch() { watched_.emplace(); }
  void Unwatch() { watched_.reset(); }
  bool watching() const { return watched_.has_value(); }
  std::vector<book::EdgeId> TakeWatched() { return std::exchange(*watched_, {}); }
  // Other priors, with the values that follow from them and the evidence as of now (nullopt: the
  // policy has none), which come back as they were before: to be destroyed without the mutex.
  void SwapPriors(std::shared_ptr<const book::Priors> priors, std::optional<book::Values>& values);

  // Measures of the rules of the run's end; nullopt where its specification has them not.
  std::optional<double> gain_left() const;
  std::optional<double> answers_changed() const;

  const UnwrittenChanges& unwritten() const { return unwritten_; }
  UnwrittenChanges& unwritten() { return unwritten_; }
  UnwrittenChanges::Taken TakeChanges() { return unwritten_.Take(counters_); }
  // The move's row of a checkpoint of the games up to now.
  EvidenceRow RowOf(book::EdgeId edge) const;

  // Of a run with re-entry; of another one they stay empty.
  const WorkingWeights& weights() const { return weights_; }
  WorkingWeights& weights() { return weights_; }

 private:
  const std::unique_ptr<book::Tuner> tuner_;
  RunCounters counters_;
  Trust trust_;               // that the evidence is of
  std::optional<int> stage_;  // nullopt: the rule has none
  std::optional<book::Prospects> prospects_;
  std::optional<book::AnswerChanges> changes_;
  UnwrittenChanges unwritten_;
  WorkingWeights weights_;
  std::optional<std::vector<book::EdgeId>> watched_;
};

}  // namespace joseki::coordinator
