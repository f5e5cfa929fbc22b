#include "book/tuning/graph_policies.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "book/tuning/choosing.h"
#include "book/tuning/exact_math.h"

namespace joseki::book {
namespace {

// Pseudo-games that shrink a position's mean towards one half.
constexpr double kLocalPull = 2;
// Pseudo-games that shrink the games and evaluations of a move towards those of its position.
constexpr double kDrawnBy = 20;
// Temperature of the softmax of evaluations, on the scale ln(p / (1 - p)): 120 of 600 centipawns.
constexpr double kEvalTemperature = 0.2;

double Logit(double p) {
  const double q = std::clamp(p, 0.001, 0.999);
  return Log(q / (1 - q));
}

}  // namespace

GraphPolicy::GraphPolicy(PolicyOptions& options, Defaults defaults)
    : draw_(DrawOption(options)),
      answer_(AnswerOption(options, true, defaults.answer)),
      prior_cap_(options.Number("prior_cap", 300, 0, 1e6)),
      position_share_(options.Number("position_share", 0.2, 0, 1)),
      shrink_(options.Number("shrink", defaults.shrink, 0.01, 1e6)),
      rarity_(options.Number("rarity", defaults.rarity, 0, 1)),
      eval_share_(options.Number("eval_share", 0.2, 0, 1)),
      caution_(options.Number("caution", defaults.caution, 0, 100)) {
  // Checks the number only: a rule without stages does not use it.
  options.Integer("total_games", 1, 1, kMaxGames);
}

void GraphPolicy::Credit(Arm& arm, Score score, int /*stage*/) const { Count(arm.evidence, score); }

double GraphPolicy::Games(const Prior& prior) const {
  return std::min(static_cast<double>(prior.games), prior_cap_);
}

void GraphPolicy::Shares(std::span<const Arm> arms, std::span<const Prior> priors,
                         std::span<float> shares) const {
  double weights = 0;
  double evals = 0;
  bool evaluated = true;
  const auto weight = [&](size_t i) {
    return static_cast<double>(std::max<int64_t>(arms[i].base_weight, 0));
  };
  const auto eval = [&](size_t i) { return Exp(Logit(priors[i].value) / kEvalTemperature); };
  for (size_t i = 0; i < arms.size(); ++i) {
    weights += weight(i);
    evaluated = evaluated && priors[i].games > 0;
    evals += eval(i);
  }
  const double equal = 1.0 / static_cast<double>(arms.size());
  const double mixed = evaluated ? eval_share_ : 0;
  double sum = 0;
  for (size_t i = 0; i < arms.size(); ++i) {
    // A move that the book's players never chose counts as half a game, so that it can still be
    // played.
    const double frequency = weights > 0 ? (weight(i) + 0.5) / weights : equal;
    shares[i] = static_cast<float>((1 - mixed) * frequency + mixed * eval(i) / evals);
    sum += shares[i];
  }
  for (float& share : shares) share = static_cast<float>(share / sum);
}

Value GraphPolicy::OfMove(const Choices& at, size_t i) const {
  const Arm& arm = at.arms[i];
  const Prior& prior = at.priors[i];
  const double n = Games(prior) + arm.evidence.games();
  if (n == 0) return {};
  const double points = 1e-3 * static_cast<double>(draw_.Points(arm.evidence, at.mover));
  const Belief belief = Belief::Of((Games(prior) * prior.value + points) / n, kGameVariance / n);
  return {belief, belief};
}

void GraphPolicy::Compare(const Choices& at, const Tally& tally, std::span<Value> values) const {
  if (at.size() == 0) return;
  const double pull = PositionGames(tally.prior);
  const double points = 1e-3 * static_cast<double>(tally.points + tally.stopped_points);
  const double local = (points + pull * tally.prior.value + 0.5 * kLocalPull) /
                       (static_cast<double>(tally.games + tally.stopped) + pull + kLocalPull);
  const double most = *std::max_element(at.log_shares.begin(), at.log_shares.end());
  const auto less = [&](size_t i) { return rarity_ * (most - at.log_shares[i]); };
  const auto games = [](const Belief& belief) {
    return belief.known() ? kGameVariance / std::max(belief.var(), 1e-7) : 0;
  };
  const auto compare = [&](Belief Value::*side) {
    // Estimates, from all moves, the value here of a move as frequent as the most frequent one.
    double sum = kLocalPull * local;
    double all = kLocalPull;
    for (size_t i = 0; i < at.size(); ++i) {
      const Belief& belief = values[i].*side;
      const double n = games(belief);
      // Limits the weight of a move with many games, so that it does not outweigh all others.
      const double weight = n * shrink_ / (n + shrink_);
      sum += weight * (belief.score() + less(i));
      all += weight;
    }
    const double centre = sum / all;
    for (size_t i = 0; i < at.size(); ++i) {
      Belief& belief = values[i].*side;
      const double n = games(belief);
      belief = Belief::Of((n * belief.score() + shrink_ * (centre - less(i))) / (n + shrink_),
                          kGameVariance / (n + shrink_));
    }
  };
  compare(&Value::own);
  compare(&Value::theirs);
}

std::vector<bool> GraphPolicy::HardlyPlayed(const Choices& at) const {
  const auto games = [&](size_t i) { return Games(at.priors[i]) + at.arms[i].evidence.games(); };
  const auto points = [&](size_t i) {
    return Games(at.priors[i]) * at.priors[i].value +
           1e-3 * static_cast<double>(draw_.Points(at.arms[i].evidence, at.mover));
  };
  double all_games = kDrawnBy;
  double all_points = 0.5 * kDrawnBy;
  for (size_t i = 0; i < at.size(); ++i) {
    all_games += games(i);
    all_points += points(i);
  }
  std::vector<double> least(at.size());
  for (size_t i = 0; i < at.size(); ++i) {
    least[i] = (points(i) + kDrawnBy * all_points / all_games) / (games(i) + kDrawnBy) -
               Doubt(games(i), caution_);
  }
  std::vector<bool> hardly(at.size());
  for (size_t i = 0; i < at.size(); ++i) {
    const double many = std::max(20.0, 5.0 * (at.arms[i].evidence.games() + 1.0));
    for (size_t k = 0; k < at.size(); ++k) {
      if (at.arms[k].evidence.games() >= many && least[k] > least[i]) hardly[i] = true;
    }
  }
  return hardly;
}

size_t GraphPolicy::Answer(const Choices& at) const {
  if (caution_ == 0) return AnswerBy(answer_, at, draw_);
  constexpr double kNever = 1e6;
  const std::vector<bool> hardly = HardlyPlayed(at);
  // Standard deviations of the knowledge of each move without its siblings: Compare has added
  // `shrink` games to it.
  std::vector<double> doubts(at.size());
  for (size_t i = 0; i < at.size(); ++i) {
    const double games = kGameVariance / std::max(at.values[i].own.var(), 1e-7) - shrink_;
    doubts[i] = hardly[i] ? kNever : Doubt(std::max(games, 0.0), caution_);
  }
  return AnswerBy(answer_, at, draw_, doubts);
}

Value GraphPolicy::OfPosition(const Choices& at, const Tally& tally) const {
  const double k0 = PositionGames(tally.prior);
  double weight = k0 + static_cast<double>(tally.stopped);
  double sum = k0 * tally.prior.value + 1e-3 * static_cast<double>(tally.stopped_points);
  for (size_t i = 0; i < at.size(); ++i) {
    const double games = at.arms[i].evidence.games();
    weight += games;
    sum += games * at.values[i].own.score();
  }
  if (weight == 0) return {};
  const double n = Games(tally.prior) + static_cast<double>(tally.games + tally.stopped);
  const Belief belief = Belief::Of(sum / weight, kGameVariance / n);
  return {belief, belief};
}

GraphPuct::GraphPuct(PolicyOptions& options)
    : GraphPolicy(options, {}),
      c_(options.Number("c", 0.3, 0, 100)),
      c_growth_(options.Number("c_growth", 0.15, 0, 100)) {}

size_t GraphPuct::Choose(const Choices& at, const Turn& /*turn*/, Rng& rng) const {
  if (at.size() == 1) return 0;
  double games = 0;
  for (const Arm& arm : at.arms) games += arm.evidence.games();
  const double c = (c_ + c_growth_ * Log(1 + games / 500)) * std::sqrt(GamesWithFlying(at) + 1);
  Best best(rng);
  for (size_t i = 0; i < at.size(); ++i) {
    best.Offer(i, at.values[i].own.score() + c * at.shares[i] / (1 + WithFlying(at.arms[i])));
  }
  return best.index();
}

GraphThompson::GraphThompson(PolicyOptions& options) : GraphPolicy(options, {}) {}

size_t GraphThompson::Choose(const Choices& at, const Turn& /*turn*/, Rng& rng) const {
  if (at.size() == 1) return 0;
  Best best(rng);
  for (size_t i = 0; i < at.size(); ++i) {
    const Belief& own = at.values[i].own;
    best.Offer(i, own.score() + std::sqrt(own.var()) * Normal(rng));
  }
  return best.index();
}

SoftPolicy::SoftPolicy(PolicyOptions& options)
    : GraphPolicy(options, {}),
      tau_(options.Number("tau", 0.03, 1e-4, 100)),
      prior_power_(options.Number("prior_power", 0.3, 0, 1)) {}

size_t SoftPolicy::Choose(const Choices& at, const Turn& /*turn*/, Rng& rng) const {
  double most = 0;
  for (const Value& value : at.values) most = std::max(most, value.own.score());
  return ChooseInProportion(at.size(), rng, [&](size_t i) {
    return Exp(prior_power_ * at.log_shares[i] + (at.values[i].own.score() - most) / tau_);
  });
}

Value SoftPolicy::OfPosition(const Choices& at, const Tally& tally) const {
  const double k0 = PositionGames(tally.prior);
  const double known = k0 + static_cast<double>(tally.games + tally.stopped);
  if (known == 0) return {};
  double most = 0;
  for (const Value& value : at.values) most = std::max(most, value.own.score());
  double weights = 0;
  double sum = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    const double score = at.values[i].own.score();
    const double weight = at.shares[i] * Exp((score - most) / tau_);
    weights += weight;
    sum += weight * score;
  }
  // The moves weigh as much as their games; without games, as one game.
  const double games = std::max<double>(static_cast<double>(tally.games), at.size() > 0 ? 1 : 0);
  const double moves = weights > 0 ? sum / weights : 0;
  const double score =
      (k0 * tally.prior.value + 1e-3 * static_cast<double>(tally.stopped_points) + games * moves) /
      (k0 + static_cast<double>(tally.stopped) + games);
  const Belief belief =
      Belief::Of(score, kGameVariance / (Games(tally.prior) + static_cast<double>(tally.games) +
                                         static_cast<double>(tally.stopped) + 1));
  return {belief, belief};
}

}  // namespace joseki::book
