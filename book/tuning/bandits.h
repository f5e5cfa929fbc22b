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

// Rules that treat each position as an independent bandit and know only the games of its own moves.
// They learn after each game, draws included. Games in flight count as games, but not in scores.
// docs/reference/tuning.md lists the options.
class Bandit : public Policy {
 public:
  bool LearnsFromDraws() const override { return true; }
  DrawValue draw_value() const override { return draw_; }
  void Credit(Arm& arm, Score score, int stage) const override;
  using Policy::Weight;
  // The mean score; 1/2 before the first game.
  double Weight(const Choices& at, size_t i) const override { return Mean(at, i, 0.5); }
  size_t Answer(const Choices& at) const override { return AnswerBy(answer_, at, draw_); }
  std::string_view answer_rule() const override { return InWords(answer_); }

 protected:
  // Reads the options common to all bandits.
  Bandit(PolicyOptions& options, AnswerRule answer);
  // For a rule that has its own answer, and to which a draw is half a win.
  explicit Bandit(PolicyOptions& options);

  // The mean score of an arm; `untried` if it has no games.
  double Mean(const Choices& at, size_t i, double untried) const;
  DrawValue draw() const { return draw_; }

 private:
  DrawValue draw_;
  AnswerRule answer_ = AnswerRule::kMean;
};

// A rule that plays the move with the largest index; ties are broken at random.
class IndexBandit : public Bandit {
 public:
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  // `all`: games of all moves together, including those in flight. Infinite for a move that must be
  // tried.
  virtual double Index(const Choices& at, size_t i, double all) const = 0;

 protected:
  using Bandit::Bandit;
};

// The mean with one virtual win added, so that every move looks good until it is tried (Sutton and
// Barto, 2.6).
class Optimistic : public IndexBandit {
 public:
  explicit Optimistic(PolicyOptions& options);
  std::string_view name() const override { return "optimistic"; }
  double Index(const Choices& at, size_t i, double all) const override;

 private:
  double start_value_;
  double start_games_;
};

// q + c sqrt(ln N / n), c = sqrt 2 (Auer, Cesa-Bianchi and Fischer 2002).
class Ucb1 : public IndexBandit {
 public:
  explicit Ucb1(PolicyOptions& options);
  std::string_view name() const override { return "ucb1"; }
  double Index(const Choices& at, size_t i, double all) const override;

 private:
  double c_;
};

// q + sqrt(ln N / n min(1/4, V)), V = variance of the scores + sqrt(2 ln N / n) (source as for
// Ucb1).
class Ucb1Tuned : public IndexBandit {
 public:
  explicit Ucb1Tuned(PolicyOptions& options);
  std::string_view name() const override { return "ucb1-tuned"; }
  double Index(const Choices& at, size_t i, double all) const override;
};

// The largest mean m with n kl(q, m) <= ln N + c ln ln N for Bernoulli variables (Garivier and
// Cappe 2011); c = 0.
class KlUcb : public IndexBandit {
 public:
  explicit KlUcb(PolicyOptions& options);
  std::string_view name() const override { return "kl-ucb"; }
  double Index(const Choices& at, size_t i, double all) const override;

 private:
  double c_;
};

// q + c P sqrt(N + 1) / (1 + n), P the share of the base weights (Rosin 2011, Silver et al. 2017).
// An untried move takes the mean of the position's games as q.
class Puct : public IndexBandit {
 public:
  explicit Puct(PolicyOptions& options);
  std::string_view name() const override { return "puct"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  double Index(const Choices& at, size_t i, double all) const override;

 private:
  double c_;
};

// Plays a move with probability proportional to exp(q / tau). tau falls from `tau` to `tau_end`
// with the games of the position; half of the change takes `tau_games` games (ours).
class Softmax : public Bandit {
 public:
  explicit Softmax(PolicyOptions& options);
  std::string_view name() const override { return "softmax"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;

 private:
  double tau_;
  double tau_end_;
  double tau_games_;
};

// Exponential recency-weighted average: q moves by alpha towards each result; for engines that
// change. Greedy, with probability epsilon any move. Arm::sum holds q, so the order of games
// matters. A draw is half a win for both sides.
class Recency : public Bandit {
 public:
  explicit Recency(PolicyOptions& options);
  std::string_view name() const override { return "recency"; }
  bool order_free() const override { return false; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  void Credit(Arm& arm, Score score, int stage) const override;
  using Policy::Weight;
  double Weight(const Choices& at, size_t i) const override;
  // The tried move with the largest q after deduction of its doubt (Doubt).
  size_t Answer(const Choices& at) const override;
  std::string_view answer_rule() const override {
    return "best recent mean of the moves tried, less a part of its uncertainty; then most games, "
           "then largest base weight";
  }

 private:
  double alpha_;
  double epsilon_;
};

// Plays the best of one sample from each arm's Beta(1 + wins, 1 + losses), where a draw adds 1/2 to
// both (Thompson 1933).
class Thompson : public Bandit {
 public:
  explicit Thompson(PolicyOptions& options);
  std::string_view name() const override { return "thompson"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
};

// Compares the moves of the position that lines begin at, with a fixed number of games. Each round
// gives equal games to the remaining moves and keeps the better half (Karnin, Koren and Somekh
// 2013). Rounds depend on evidence alone, so a dropped move returns if the others fall below it
// (ours). After the last round the two best share the remaining games. At all other positions lines
// follow KL-UCB.
class SequentialHalving : public Bandit {
 public:
  explicit SequentialHalving(PolicyOptions& options);
  std::string_view name() const override { return "sequential-halving"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;

 private:
  double total_games_;
  KlUcb elsewhere_;
};

// Builds a bandit for MakePolicy.
template <typename T>
absl::StatusOr<std::unique_ptr<const Policy>> MakeBandit(PolicyOptions options) {
  auto policy = std::make_unique<T>(options);
  if (absl::Status status = options.Finish(); !status.ok()) return status;
  return std::unique_ptr<const Policy>(std::move(policy));
}

}  // namespace joseki::book
