#include "book/tuning/response.h"

#include <algorithm>
#include <cmath>

#include "book/tuning/choosing.h"
#include "book/tuning/exact_math.h"

namespace joseki::book {
namespace {

// A weighted mean of beliefs.
class Mix {
 public:
  void Add(double weight, const Belief& belief) {
    weights_ += weight;
    scores_ += weight * belief.score();
    variances_ += weight * weight * belief.var();
  }
  // Adds the games that are not in the beliefs: `games` with a sum of scores of `points`.
  Belief With(double points, double games, double game_variance) const {
    constexpr double kLeast = 1e-7;
    const double variance = std::max(variances_ / (weights_ * weights_), kLeast);
    const double n = game_variance / variance;
    return Belief::Of((n * scores_ / weights_ + points) / (n + games), game_variance / (n + games));
  }

 private:
  double weights_ = 0;
  double scores_ = 0;
  double variances_ = 0;
};

}  // namespace

Response::Response(PolicyOptions& options)
    : GraphPolicy(options, {AnswerRule::kValue, /*shrink=*/200, /*rarity=*/0.015, kCaution}),
      tau_(options.Number("tau", 0.1, 0.002, 1e6)),
      own_tau_(options.Number("own_tau", 0.01, 0.002, 1e6)),
      explore_(options.Number("explore", 0.5, 0, 100)),
      others_(options.Number("others", 0, 0, 1)) {}

double Response::Likelihood(const Choices& at, size_t i) const {
  const double share = (1 - others_) * at.shares[i] + others_ / static_cast<double>(at.size());
  return share * Exp((at.values[i].theirs.score() - 1) / tau_);
}

bool Response::PlaysForBook(const Choices& at, const Turn& turn) const {
  return at.mover == ((turn.line & 1) == 0 ? Color::kFirst : Color::kSecond);
}

size_t Response::Choose(const Choices& at, const Turn& turn, Rng& rng) const {
  if (at.size() == 1) return 0;
  if (!PlaysForBook(at, turn)) {
    return ChooseInProportion(at.size(), rng, [&](size_t i) { return Likelihood(at, i); });
  }
  Best best(rng);
  for (size_t i = 0; i < at.size(); ++i) {
    const Belief& own = at.values[i].own;
    best.Offer(i, own.score() + explore_ * std::sqrt(own.var()) * Normal(rng));
  }
  return best.index();
}

Value Response::OfPosition(const Choices& at, const Tally& tally) const {
  // At a position without moves the evaluation is the only knowledge; beside moves it counts for
  // less.
  const double evaluation = at.size() == 0 ? Games(tally.prior) : PositionGames(tally.prior);
  const double games = evaluation + static_cast<double>(tally.stopped);
  const double points =
      evaluation * tally.prior.value + 1e-3 * static_cast<double>(tally.stopped_points);
  if (games + static_cast<double>(tally.games) == 0) return {};
  if (at.size() == 0) {
    const Belief belief = Belief::Of(points / games, kGameVariance / games);
    return {belief, belief};
  }
  double most = 0;
  for (const Value& value : at.values) most = std::max(most, value.own.score());
  Mix own;
  Mix theirs;
  for (size_t i = 0; i < at.size(); ++i) {
    const Value& value = at.values[i];
    own.Add(Exp((value.own.score() - most) / own_tau_), value.own);
    theirs.Add(Likelihood(at, i), value.theirs);
  }
  return {own.With(points, games, kGameVariance), theirs.With(points, games, kGameVariance)};
}

}  // namespace joseki::book
