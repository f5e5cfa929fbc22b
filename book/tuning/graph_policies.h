#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "book/tuning/answers.h"
#include "book/tuning/policy.h"
#include "book/tuning/policy_options.h"

namespace joseki::book {

// Rules that choose by values backed up over the book (book/tuning/values.h). Transpositions share
// their games, and a move has the value of its continuations. They learn after each game, draws
// included. docs/reference/tuning.md lists the options.
//
// The knowledge of a move is its games plus its evaluation as pseudo-games, or the value of the
// book position that it leads to. This belief is shrunk towards its siblings by `shrink`
// pseudo-games. Siblings are assumed equal, less `rarity` for each factor of e by which a move is
// rarer than the most frequent one.
class GraphPolicy : public Policy, public Estimator {
 public:
  bool LearnsFromDraws() const override { return true; }
  void Credit(Arm& arm, Score score, int stage) const override;
  const Estimator* estimator() const override { return this; }
  using Policy::Weight;
  double Weight(const Choices& at, size_t i) const override { return at.values[i].own.score(); }
  size_t Answer(const Choices& at) const override;
  std::string_view answer_rule() const override { return InWords(answer_, caution_ > 0); }

  DrawValue draw_value() const override { return draw_; }
  // The shares of the base weights, mixed with a softmax of the evaluations if there are any.
  void Shares(std::span<const Arm> arms, std::span<const Prior> priors,
              std::span<float> shares) const override;
  Value OfMove(const Choices& at, size_t i) const override;
  void Compare(const Choices& at, const Tally& tally, std::span<Value> values) const override;
  // The mean over the moves' games, with evaluations and lines that stopped here: the idempotent
  // backup of KataGo's GraphSearch.md.
  Value OfPosition(const Choices& at, const Tally& tally) const override;

 protected:
  struct Defaults {
    AnswerRule answer = AnswerRule::kVisits;
    double shrink = 4;
    double rarity = 0;
    double caution = 0;
  };
  GraphPolicy(PolicyOptions& options, Defaults defaults);

  // Moves that may not be the answer, whatever their values. Such a move has at most a fifth of
  // another move's games and is worth less by games and evaluations alone, doubts included.
  std::vector<bool> HardlyPlayed(const Choices& at) const;

  // Number of pseudo-games that an evaluation counts for.
  double Games(const Prior& prior) const;
  // Number of pseudo-games if the evaluated position has moves, beside which its evaluation counts
  // less.
  double PositionGames(const Prior& prior) const { return position_share_ * Games(prior); }
  DrawValue draw() const { return draw_; }

 private:
  DrawValue draw_;
  AnswerRule answer_;
  double prior_cap_;
  double position_share_;
  double shrink_;
  double rarity_;
  double eval_share_;
  double caution_;
};

// PUCT on a graph: Q + c(N) P sqrt(N + 1) / (1 + n), c(N) = c + c_growth ln(1 + N / 500).
// Exploration thus grows with the games.
class GraphPuct : public GraphPolicy {
 public:
  explicit GraphPuct(PolicyOptions& options);
  std::string_view name() const override { return "graph-puct"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;

 private:
  double c_;
  double c_growth_;
};

// Plays the best of one sample from each move's normal belief.
class GraphThompson : public GraphPolicy {
 public:
  explicit GraphThompson(PolicyOptions& options);
  std::string_view name() const override { return "graph-thompson"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
};

// KL-regularised policy: plays a move with probability proportional to P^prior_power exp(Q / tau).
// It backs up the mean weighted by P exp(Q / tau), as against an opponent that errs like the book's
// players.
class SoftPolicy : public GraphPolicy {
 public:
  explicit SoftPolicy(PolicyOptions& options);
  std::string_view name() const override { return "soft"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  Value OfPosition(const Choices& at, const Tally& tally) const override;

 private:
  double tau_;
  double prior_power_;
};

}  // namespace joseki::book
