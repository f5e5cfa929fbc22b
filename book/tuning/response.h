#pragma once

#include <cstddef>
#include <string_view>

#include "book/tuning/graph_policies.h"

namespace joseki::book {

// Tunes a book as the best response to a model of its opponents (ours). Sources are the restricted
// Nash response of Johanson, Zinkevich and Bowling 2007, and the quantal response of McKelvey and
// Palfrey 1995.
//
// An opponent plays a move with probability proportional to P exp(Q / tau): like the book's
// players, corrected by its own view of the value. tau = 0.1 (the default) errs as people do. A
// large tau follows the frequencies whatever the values are (for exploiting). A small tau hardly
// errs (robust: minimax over shrunk beliefs). A share `others` of P is spread equally over all
// moves. Games then also test replies to rare moves, which another book may have found to be good.
//
// Every position has two values: for the side that answers by this book against such opponents, and
// for the opponent. The first is backed up as a soft maximum, the second as the opponent plays.
//
// In each line one random side stands for the book. It plays the best of one sample from each
// move's belief (Thompson sampling), with deviations `explore` times as wide. The other side plays
// as opponents do. Games thus go where the answers matter, and games in flight need no accounting.
// Answer: the best of the first values after deduction of their doubts (Doubt).
class Response : public GraphPolicy {
 public:
  explicit Response(PolicyOptions& options);
  std::string_view name() const override { return "response"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  bool PlaysForBook(const Choices& at, const Turn& turn) const override;
  Value OfPosition(const Choices& at, const Tally& tally) const override;

 private:
  // Probability of an opponent's move, up to a factor common to the moves of the position.
  double Likelihood(const Choices& at, size_t i) const;

  double tau_;
  double own_tau_;
  double explore_;
  double others_;
};

}  // namespace joseki::book
