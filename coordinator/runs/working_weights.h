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

// Weights by which the book of a run with re-entry answers, as of its last game (book::WeightsOf;
// against an opponent book::SharesOf). Once computed, they follow every game until Take makes them
// a constant version. Shares under a rule with stages do not follow games: each stage draws them
// anew.
//
// With a copy of the last version at hand, a new version takes no longer for a larger book. The
// owner makes the copy outside the mutex. Guarded by the owner's mutex; functions that take time in
// proportion to the book say so.
class WorkingWeights {
 public:
  using Vector = std::shared_ptr<const book::Weights>;

  // `shares`: the run has an opponent. REQUIRES: `tuner`, of the run's games, outlives this object.
  WorkingWeights(const book::Tuner& tuner, bool shares, int stage);

  // Follows a game that the tuner has applied.
  void Follow();
  // Follows the tuner, which has frozen its arms for the stage.
  void BeginStage(int stage);
  // Invalidates all weights after the priors have changed.
  void Forget();

  // Computes the weights of all positions, in time proportional to the book.
  void Weigh();
  // Recomputes some of a copy's weights after new priors: as many as take the time of `at_once`
  // positions without an opponent. True if there are more.
  bool WeighSome(book::NodeId at_once);

  // Freezes the weights as a version; computes missing ones first. Without a copy at hand this
  // takes time in proportion to the book.
  Vector Take();
  // The version taken last, if a copy of it is wanted; null if none is.
  Vector WantsCopy() const { return weights_ || anew_ ? nullptr : taken_; }
  // Gives a copy of `of`, the version from WantsCopy. Ignored if a newer version has been taken
  // since.
  void GiveCopy(const Vector& of, book::Weights copy);

 private:
  book::NodeId positions() const { return static_cast<book::NodeId>(tuner_.graph().node_count()); }
  // Computes the weights of up to `most` further positions.
  void Weigh(book::NodeId most);
  // Computes the weights of these positions, as of now.
  void Set(std::span<const book::NodeId> nodes);

  const book::Tuner& tuner_;
  const bool shares_;
  const bool anew_;  // each stage invalidates all weights
  int stage_;
  Vector taken_;  // the version taken last; null: none
  std::optional<book::Weights> weights_;
  book::NodeId weighed_ = 0;  // positions before this one have current weights
  // While there are no weights: positions that games changed since the last Take; nullopt: all.
  std::optional<std::set<book::NodeId>> credited_;
};

}  // namespace joseki::coordinator
