#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "book/graph.h"
#include "book/reentry.h"
#include "book/tuning/prospects.h"
#include "book/tuning/tuner.h"
#include "book/tuning/values.h"
#include "book/weights_delta.h"
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

  // Since the last call: the edges that games changed, each once, and the moves hashes of games
  // that are different from all before them.
  std::vector<book::EdgeId> TakeChanged();
  std::vector<uint64_t> TakeSeen();
  // Gives back what was taken; also what a checkpoint lacks at the beginning.
  void MarkChanged(book::EdgeId edge);
  void ReturnSeen(std::vector<uint64_t> seen);

  // The weights by which a book is re-entered, as of now (book::WeightsOf; against an opponent
  // book::SharesOf). Once they are worked out every game keeps them up to date, until they are
  // taken; but shares under a rule with stages are new with every stage, so they are not. Weigh
  // works out those of so many further positions, or of all, in proportion to them.
  void Weigh(book::NodeId most);
  void Weigh() { Weigh(static_cast<book::NodeId>(tuner_->graph().node_count())); }
  // They become a version that nobody changes. `last` is the one that was taken before, if it is of
  // this object. What has not been worked out by then is now.
  book::Weights TakeWeights(const book::Weights* last);
  // After TakeWeights a copy of what was taken is wanted to be kept up to date: making it, without
  // the mutex, is the owner's. Where the next TakeWeights comes first, that makes it.
  bool WantsWeightsCopy() const { return !weights_ && taken_ && !anew_; }
  void GiveWeightsCopy(book::Weights copy);
  // There is a copy, but other priors have come since it was worked out.
  bool WantsWeighing() const { return weights_ && weighed_ < tuner_->graph().node_count(); }
  // A position's weights take so many times as long as by book::WeightsOf.
  uint32_t weighing_cost() const { return shares_ ? book::kTries : 1; }

 private:
  // Works out the weights of these positions, as of now.
  void SetWeights(std::span<const book::NodeId> nodes);
  // Brings them up to date with the tuner's last game.
  void FollowWeights();
  // All are to be worked out anew.
  void ForgetWeights();

  std::unique_ptr<book::Tuner> tuner_;
  RunCounters counters_;
  Trust trust_;  // that the evidence is of
  std::optional<book::Prospects> prospects_;
  std::optional<book::AnswerChanges> changes_;

  std::vector<book::EdgeId> changed_;
  std::vector<uint64_t> seen_;
  // By edge: equal to take_ if it is in changed_.
  std::vector<uint32_t> marks_;
  uint32_t take_ = 1;

  const bool staged_;
  const bool shares_;  // the weights are shares
  const bool anew_;    // with every stage
  int stage_;
  bool taken_ = false;  // ever
  std::optional<book::Weights> weights_;
  book::NodeId weighed_ = 0;  // those of the positions before it are as of now
  // While there are none: positions that games changed since they were taken; nullopt: all.
  std::optional<std::set<book::NodeId>> credited_;
  std::optional<std::vector<book::EdgeId>> watched_;
};

}  // namespace joseki::coordinator
