#pragma once

#include <cstddef>
#include <string_view>

#include "book/tuning/graph_policies.h"

namespace joseki::book {

// Tunes a book as the best response to a model of its opponents (ours; after the restricted Nash
// response of Johanson, Zinkevich and Bowling 2007, and the quantal response of McKelvey and
// Palfrey 1995).
//
// An opponent plays a move with probability proportional to P exp(Q / tau): as the book's players
// do, but for its own view of the value. tau = 0.1 errs as people do (the default), a large tau
// follows the frequencies whatever they are worth (for exploiting), a small one hardly errs
// (robust: then this is minimax over shrunk beliefs). One move in `others` of them knows nothing of
// frequencies: P is mixed with equal shares, so that games go to replies to rare moves too, which
// another book may have found to be good. Every position has two values: for the side that answers
// by this book against such opponents, and for the opponent. The first backs up as a soft maximum,
// the second as the opponent plays.
//
// Each line has one side that stands for the book, by turns of chance: at its moves the line
// follows the best of one draw from each move's belief (Thompson sampling), with deviations
// `explore` times as wide; at the other side's it plays as opponents do. Games thus go where the
// answers matter, and those in flight need no account. Answer: the best of the first values, each
// less its doubt (Doubt).
class Response : public GraphPolicy {
 public:
  explicit Response(PolicyOptions& options);
  std::string_view name() const override { return "response"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  bool PlaysForBook(const Choices& at, const Turn& turn) const override;
  Value OfPosition(const Choices& at, const Tally& tally) const override;

 private:
  // Probability that an opponent plays a move, up to a factor that the moves of a position share.
  double Likelihood(const Choices& at, size_t i) const;

  double tau_;
  double own_tau_;
  double explore_;
  double others_;
};

}  // namespace joseki::book
