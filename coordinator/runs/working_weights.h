#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>

#include "book/graph.h"
#include "book/reentry.h"
#include "book/tuning/tuner.h"
#include "book/weights_delta.h"

namespace joseki::coordinator {

// The weights by which the book of a run with re-entry answers, as of its last game
// (book::WeightsOf; against an opponent book::SharesOf). Once they are worked out every game keeps
// them up to date, until they are taken as a version that nobody changes. Only shares under a rule
// with stages are not kept up to date: they are new with every stage.
//
// A version takes no longer to make for a large book if a copy of the one before is at hand: making
// it, without the mutex, is the owner's. Guarded by the owner's mutex; verbs that take time in
// proportion to the book say so.
class WorkingWeights {
 public:
  using Vector = std::shared_ptr<const book::Weights>;

  // `shares`: the run has an opponent. REQUIRES: `tuner`, of the run's games, outlives this.
  WorkingWeights(const book::Tuner& tuner, bool shares, int stage);

  // The tuner has applied a game.
  void Follow();
  // It has frozen its arms for the stage.
  void BeginStage(int stage);
  // It has other priors: all weights are to be worked out anew.
  void Forget();

  // Works out the weights of all positions. In proportion to the book.
  void Weigh();
  // Where there is a copy, but other priors have come since it was worked out: works out as many
  // weights as take the time of `at_once` without an opponent. True if there is more to do.
  bool WeighSome(book::NodeId at_once);

  // They become a version. What has not been worked out by then is now; without a copy at hand, in
  // proportion to the book.
  Vector Take();
  // The version that was taken last, if a copy of it is wanted; null: none is.
  Vector WantsCopy() const { return weights_ || anew_ ? nullptr : taken_; }
  // `of`: the version that WantsCopy gave. Ignored where a newer one has come since.
  void GiveCopy(const Vector& of, book::Weights copy);

 private:
  book::NodeId positions() const { return static_cast<book::NodeId>(tuner_.graph().node_count()); }
  // Works out the weights of so many further positions.
  void Weigh(book::NodeId most);
  // Works out the weights of these positions, as of now.
  void Set(std::span<const book::NodeId> nodes);

  const book::Tuner& tuner_;
  const bool shares_;
  const bool anew_;  // with every stage
  int stage_;
  Vector taken_;  // last; null: none was
  std::optional<book::Weights> weights_;
  book::NodeId weighed_ = 0;  // those of the positions before it are as of now
  // While there are no weights: positions that games changed since they were taken; nullopt: all.
  std::optional<std::set<book::NodeId>> credited_;
};

}  // namespace joseki::coordinator
