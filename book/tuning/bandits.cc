#include "book/tuning/bandits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "book/tuning/choosing.h"
#include "book/tuning/exact_math.h"

namespace joseki::book {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Arm::sum of Recency for a score of 1.
constexpr double kSumScore = int64_t{1} << 40;

// Kullback-Leibler divergence of Bernoulli variables.
double Divergence(double p, double q) {
  double sum = 0;
  if (p > 0) sum += p * Log(p / q);
  if (p < 1) sum += (1 - p) * Log((1 - p) / (1 - q));
  return sum;
}

// Gamma(shape, 1) for shape >= 1 (Marsaglia and Tsang 2000).
double Gamma(double shape, Rng& rng) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = Normal(rng);
    const double t = 1 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t;
    const double u = rng.Unit();
    if (u > 0 && Log(u) < 0.5 * x * x + d - d * v + d * Log(v)) return d * v;
  }
}

}  // namespace

Bandit::Bandit(PolicyOptions& options, AnswerRule answer) : Bandit(options) {
  draw_ = DrawOption(options);
  answer_ = AnswerOption(options, false, answer);
}

Bandit::Bandit(PolicyOptions& options) {
  // Checks the number only: a rule without stages does not use it.
  options.Integer("total_games", 1, 1, kMaxGames);
}

void Bandit::Credit(Arm& arm, Score score, int /*stage*/) const { Count(arm.evidence, score); }

double Bandit::Mean(const Choices& at, size_t i, double untried) const {
  const Evidence& evidence = at.arms[i].evidence;
  return evidence.games() == 0 ? untried : draw_.Mean(evidence, at.mover);
}

size_t IndexBandit::Choose(const Choices& at, const Turn& /*turn*/, Rng& rng) const {
  const double all = GamesWithFlying(at);
  Best best(rng);
  for (size_t i = 0; i < at.size(); ++i) best.Offer(i, Index(at, i, all));
  return best.index();
}

Optimistic::Optimistic(PolicyOptions& options)
    : IndexBandit(options, AnswerRule::kLowerBound),
      start_value_(options.Number("start_value", 1, 0, 10)),
      start_games_(options.Number("start_games", 1, 0.001, 1e6)) {}

double Optimistic::Index(const Choices& at, size_t i, double /*all*/) const {
  const Evidence& evidence = at.arms[i].evidence;
  const double points = 1e-3 * static_cast<double>(draw().Points(evidence, at.mover));
  return (start_value_ * start_games_ + points) / (start_games_ + evidence.games());
}

Ucb1::Ucb1(PolicyOptions& options)
    : IndexBandit(options, AnswerRule::kVisits), c_(options.Number("c", std::sqrt(2.0), 0, 100)) {}

double Ucb1::Index(const Choices& at, size_t i, double all) const {
  const double n = WithFlying(at.arms[i]);
  if (n == 0) return kInfinite;
  return Mean(at, i, 0.5) + c_ * std::sqrt(Log(all) / n);
}

Ucb1Tuned::Ucb1Tuned(PolicyOptions& options) : IndexBandit(options, AnswerRule::kVisits) {}

double Ucb1Tuned::Index(const Choices& at, size_t i, double all) const {
  const double n = WithFlying(at.arms[i]);
  if (n == 0) return kInfinite;
  const Evidence& evidence = at.arms[i].evidence;
  const double mean = Mean(at, i, 0.5);
  double variance = 0.25;
  if (evidence.games() > 0) {
    const double value = 1e-3 * static_cast<double>(draw().Of(at.mover));
    variance = (evidence.wins + value * value * evidence.draws) / evidence.games() - mean * mean;
  }
  const double per_game = Log(all) / n;
  return mean + std::sqrt(per_game * std::min(0.25, variance + std::sqrt(2 * per_game)));
}

KlUcb::KlUcb(PolicyOptions& options)
    : IndexBandit(options, AnswerRule::kVisits), c_(options.Number("c", 0, 0, 100)) {}

double KlUcb::Index(const Choices& at, size_t i, double all) const {
  const double n = WithFlying(at.arms[i]);
  if (n == 0) return kInfinite;
  const double log_all = Log(std::max(all, 1.0));
  double budget = log_all;
  if (c_ > 0 && log_all > 1) budget += c_ * Log(log_all);
  const double mean = Mean(at, i, 0.5);
  double low = mean;
  double high = 1;
  for (int step = 0; step < 24; ++step) {
    const double middle = 0.5 * (low + high);
    (n * Divergence(mean, middle) <= budget ? low : high) = middle;
  }
  return low;
}

Puct::Puct(PolicyOptions& options)
    : IndexBandit(options, AnswerRule::kVisits), c_(options.Number("c", 1, 0, 100)) {}

size_t Puct::Choose(const Choices& at, const Turn& turn, Rng& rng) const {
  if (at.size() == 1) return 0;
  return IndexBandit::Choose(at, turn, rng);
}

double Puct::Index(const Choices& at, size_t i, double all) const {
  double weights = 0;
  double games = 0;
  double points = 0;
  for (const Arm& arm : at.arms) {
    weights += static_cast<double>(std::max<int64_t>(arm.base_weight, 0));
    games += arm.evidence.games();
    points += 1e-3 * static_cast<double>(draw().Points(arm.evidence, at.mover));
  }
  const double share =
      weights > 0 ? static_cast<double>(std::max<int64_t>(at.arms[i].base_weight, 0)) / weights
                  : 1.0 / static_cast<double>(at.size());
  return Mean(at, i, games > 0 ? points / games : 0.5) +
         c_ * share * std::sqrt(all + 1) / (1 + WithFlying(at.arms[i]));
}

Softmax::Softmax(PolicyOptions& options)
    : Bandit(options, AnswerRule::kVisits),
      tau_(options.Number("tau", 0.15, 1e-4, 100)),
      tau_end_(options.Number("tau_end", 0.03, 1e-4, 100)),
      tau_games_(options.Number("tau_games", 1000, 1, 1e12)) {
  if (tau_end_ > tau_) options.Refuse("tau_end", "at most tau");
}

size_t Softmax::Choose(const Choices& at, const Turn& /*turn*/, Rng& rng) const {
  const double tau = tau_end_ + (tau_ - tau_end_) / (1 + GamesWithFlying(at) / tau_games_);
  return ChooseInProportion(at.size(), rng,
                            [&](size_t i) { return Exp((Mean(at, i, 0.5) - 1) / tau); });
}

Recency::Recency(PolicyOptions& options)
    : Bandit(options),
      alpha_(options.Number("alpha", 0.005, 1e-6, 1)),
      epsilon_(options.Number("epsilon", 0.1, 0, 1)) {}

void Recency::Credit(Arm& arm, Score score, int stage) const {
  // Before the first game a sum of 0 stands for a score of 1/2.
  const double before = arm.evidence.games() == 0 ? 0.5 * kSumScore : static_cast<double>(arm.sum);
  const double reward = score == Score::kWin ? 1 : (score == Score::kDraw ? 0.5 : 0);
  arm.sum = std::llround(before + alpha_ * (reward * kSumScore - before));
  Bandit::Credit(arm, score, stage);
}

double Recency::Weight(const Choices& at, size_t i) const {
  const Arm& arm = at.arms[i];
  return arm.evidence.games() == 0 ? 0.5 : static_cast<double>(arm.sum) / kSumScore;
}

size_t Recency::Choose(const Choices& at, const Turn& /*turn*/, Rng& rng) const {
  if (at.size() == 1) return 0;
  if (epsilon_ > 0 && rng.Unit() < epsilon_) return rng.Below(at.size());
  Best best(rng);
  for (size_t i = 0; i < at.size(); ++i) best.Offer(i, Weight(at, i));
  return best.index();
}

size_t Recency::Answer(const Choices& at) const {
  const auto rank = [&](size_t i) {
    const Arm& arm = at.arms[i];
    const double games = arm.evidence.games();
    return std::tuple(games > 0, Weight(at, i) - Doubt(games), games, arm.base_weight);
  };
  size_t best = 0;
  for (size_t i = 1; i < at.size(); ++i) {
    if (rank(i) > rank(best)) best = i;
  }
  return best;
}

Thompson::Thompson(PolicyOptions& options) : Bandit(options, AnswerRule::kVisits) {}

size_t Thompson::Choose(const Choices& at, const Turn& /*turn*/, Rng& rng) const {
  if (at.size() == 1) return 0;
  Best best(rng);
  for (size_t i = 0; i < at.size(); ++i) {
    const Evidence& evidence = at.arms[i].evidence;
    const double points = 1e-3 * static_cast<double>(draw().Points(evidence, at.mover));
    const double won = Gamma(1 + points, rng);
    const double lost = Gamma(1 + evidence.games() - points, rng);
    best.Offer(i, won / (won + lost));
  }
  return best.index();
}

SequentialHalving::SequentialHalving(PolicyOptions& options)
    : Bandit(options, AnswerRule::kLowerBound),
      total_games_(static_cast<double>(options.Integer("total_games", 4000, 1, kMaxGames))),
      elsewhere_(options) {}

size_t SequentialHalving::Choose(const Choices& at, const Turn& turn, Rng& rng) const {
  if (at.size() == 1) return 0;
  if (!turn.at_start) return elsewhere_.Choose(at, turn, rng);
  const double rounds = std::ceil(std::log2(static_cast<double>(at.size())));
  std::vector<size_t> left(at.size());
  for (size_t i = 0; i < left.size(); ++i) left[i] = i;
  const auto flying = [&](size_t i) { return WithFlying(at.arms[i]); };
  double quota = 0;
  for (;;) {
    quota += std::max(1.0, std::floor(total_games_ / (static_cast<double>(left.size()) * rounds)));
    Best least(rng);
    for (const size_t i : left) least.Offer(i, -flying(i));
    if (flying(least.index()) < quota || left.size() <= 2) return least.index();
    std::stable_sort(left.begin(), left.end(),
                     [&](size_t a, size_t b) { return Mean(at, a, 0.5) > Mean(at, b, 0.5); });
    left.resize((left.size() + 1) / 2);
  }
}

}  // namespace joseki::book
