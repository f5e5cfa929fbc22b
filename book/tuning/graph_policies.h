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

// Rules that choose by values backed up over the book (book/tuning/values.h), so that
// transpositions share their games and a move has the value of its continuations. They learn at
// once, and from draws. docs/reference/tuning.md lists the options.
//
// The knowledge of a move is its games and its evaluation as pseudo-games, or the value of the book
// position that it leads to. The belief is drawn to its siblings by `shrink` pseudo-games. Siblings
// are assumed equal, less `rarity` for every factor of e by which a move is rarer than the most
// frequent one.
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
  // The share of the base weights, mixed with a softmax of the evaluations where there are any.
  void Shares(std::span<const Arm> arms, std::span<const Prior> priors,
              std::span<float> shares) const override;
  Value OfMove(const Choices& at, size_t i) const override;
  void Compare(const Choices& at, const Tally& tally, std::span<Value> values) const override;
  // The mean over the moves' games, evaluations and stopped lines included: the idempotent backup
  // of KataGo's GraphSearch.md.
  Value OfPosition(const Choices& at, const Tally& tally) const override;

 protected:
  struct Defaults {
    AnswerRule answer = AnswerRule::kVisits;
    double shrink = 4;
    double rarity = 0;
    double caution = 0;
  };
  GraphPolicy(PolicyOptions& options, Defaults defaults);

  // The moves that may not be the answer, whatever their values: with a fifth of the games of
  // another, or less, and worth less than that by games and evaluations alone, doubts included.
  std::vector<bool> HardlyPlayed(const Choices& at) const;

  // Pseudo-games that an evaluation counts for.
  double Games(const Prior& prior) const;
  // The share of that beside the moves of the evaluated position.
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

// Q + c(N) P sqrt(N + 1) / (1 + n), c(N) = c + c_growth ln(1 + N / 500): PUCT on a graph, with
// exploration that grows with the games.
class GraphPuct : public GraphPolicy {
 public:
  explicit GraphPuct(PolicyOptions& options);
  std::string_view name() const override { return "graph-puct"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;

 private:
  double c_;
  double c_growth_;
};

// Plays the best of one draw from each move's normal belief.
class GraphThompson : public GraphPolicy {
 public:
  explicit GraphThompson(PolicyOptions& options);
  std::string_view name() const override { return "graph-thompson"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
};

// KL-regularised: plays a move with probability proportional to P^prior_power exp(Q / tau) and
// backs up the mean weighted by P exp(Q / tau), as against an opponent that errs like the book's
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
