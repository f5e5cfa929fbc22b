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

// Rules that treat every position as a bandit of its own and know its moves' own games alone. They
// learn at once, and from draws. Games in flight count where a rule counts games, and say nothing
// of scores. docs/reference/tuning.md lists the options.
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
  // Reads the options that all of them have.
  Bandit(PolicyOptions& options, AnswerRule answer);

  // The mean of an arm's games; `untried` without any.
  double Mean(const Choices& at, size_t i, double untried) const;
  DrawValue draw() const { return draw_; }

 private:
  DrawValue draw_;
  AnswerRule answer_;
};

// A rule that plays the move with the largest index; ties fall to chance.
class IndexBandit : public Bandit {
 public:
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  // `all`: games of all the moves, those in flight included. Infinite for a move that must be
  // tried.
  virtual double Index(const Choices& at, size_t i, double all) const = 0;

 protected:
  using Bandit::Bandit;
};

// The mean, as if a first game had been won: every move looks good until it was tried
// (Sutton and Barto, 2.6).
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

// q + sqrt(ln N / n min(1/4, V)), V = variance of the scores + sqrt(2 ln N / n) (the same).
class Ucb1Tuned : public IndexBandit {
 public:
  explicit Ucb1Tuned(PolicyOptions& options);
  std::string_view name() const override { return "ucb1-tuned"; }
  double Index(const Choices& at, size_t i, double all) const override;
};

// The largest mean m with n kl(q, m) <= ln N + c ln ln N, kl that of Bernoulli variables
// (Garivier and Cappe 2011); c = 0.
class KlUcb : public IndexBandit {
 public:
  explicit KlUcb(PolicyOptions& options);
  std::string_view name() const override { return "kl-ucb"; }
  double Index(const Choices& at, size_t i, double all) const override;

 private:
  double c_;
};

// q + c P sqrt(N + 1) / (1 + n), P the share of the base weights (Rosin 2011, Silver et al. 2017).
// A move without games is worth what the position's games say.
class Puct : public IndexBandit {
 public:
  explicit Puct(PolicyOptions& options);
  std::string_view name() const override { return "puct"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  double Index(const Choices& at, size_t i, double all) const override;

 private:
  double c_;
};

// Plays a move with probability proportional to exp(q / tau); tau falls from `tau` to `tau_end`
// with the games of the position, half of the way in `tau_games` games (ours).
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
// change. Greedy, with probability epsilon any move. The arm's sum holds q, so it depends on the
// order of the games; a draw is half a win to both sides.
class Recency : public Bandit {
 public:
  explicit Recency(PolicyOptions& options);
  std::string_view name() const override { return "recency"; }
  bool order_free() const override { return false; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  void Credit(Arm& arm, Score score, int stage) const override;
  using Policy::Weight;
  double Weight(const Choices& at, size_t i) const override;
  // The best q of the moves tried, each less what is doubtful of it (Doubt).
  size_t Answer(const Choices& at) const override;
  std::string_view answer_rule() const override {
    return "best recent mean of the moves tried, less a part of its uncertainty; then most games, "
           "then largest base weight";
  }

 private:
  double alpha_;
  double epsilon_;
};

// Plays the best of one draw from each arm's Beta(1 + wins, 1 + losses), a draw half of each
// (Thompson 1933).
class Thompson : public Bandit {
 public:
  explicit Thompson(PolicyOptions& options);
  std::string_view name() const override { return "thompson"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
};

// Compares the moves of the position that the lines begin at with a fixed number of games: rounds
// of equal games for the moves that are left, the better half of which goes on (Karnin, Koren and
// Somekh 2013).
// By evidence alone, so a move that was left behind comes back if the others fall below it (ours);
// after the last round the two best share what is left. Elsewhere lines follow KL-UCB.
class SequentialHalving : public Bandit {
 public:
  explicit SequentialHalving(PolicyOptions& options);
  std::string_view name() const override { return "sequential-halving"; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;

 private:
  double total_games_;
  KlUcb elsewhere_;
};

// For MakePolicy.
template <typename T>
absl::StatusOr<std::unique_ptr<const Policy>> MakeBandit(PolicyOptions options) {
  auto policy = std::make_unique<T>(options);
  if (absl::Status status = options.Finish(); !status.ok()) return status;
  return std::unique_ptr<const Policy>(std::move(policy));
}

}  // namespace joseki::book
