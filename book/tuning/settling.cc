#include "book/tuning/settling.h"

#include <algorithm>
#include <cmath>

#include "book/tuning/exact_math.h"

namespace joseki::book {
namespace {

// Parameter of the mixture, in games: near the optimum at about 500 games.
constexpr double kMixture = 48;

// Bounds of one move; each move gets an equal part of the error probability.
Interval BoundsOf(const Choices& at, size_t i, DrawValue draw, double error) {
  const Evidence& evidence = at.arms[i].evidence;
  return AnytimeBounds(1e-3 * static_cast<double>(draw.Points(evidence, at.mover)),
                       evidence.games(), error / static_cast<double>(at.size()));
}

}  // namespace

Interval AnytimeBounds(double points, double games, double error) {
  if (games <= 0) return {};
  const double mixed = games + kMixture;
  const double reach = std::sqrt(mixed * Log(mixed / (kMixture * error * error))) / (2 * games);
  const double mean = points / games;
  return {std::max(0.0, mean - reach), std::min(1.0, mean + reach)};
}

Settlement Settle(const Choices& at, DrawValue draw, const Settling& rule) {
  Settlement result;
  if (at.size() < 2) return result;
  result.standing = Standing::kOpen;
  result.possible = 1;
  // Usually some move has no games; nothing can then be excluded, and the bounds need no square
  // root.
  const bool untried = std::any_of(at.arms.begin(), at.arms.end(),
                                   [](const Arm& arm) { return arm.evidence.games() == 0; });
  double second_high = 0;
  double best_high = 0;
  result.best_low = -1;
  for (size_t i = 0; i < at.size(); ++i) {
    const Interval bounds = BoundsOf(at, i, draw, rule.error);
    if (bounds.low > result.best_low) {
      if (i > 0) second_high = std::max(second_high, best_high);
      result.best = i;
      result.best_low = bounds.low;
      best_high = bounds.high;
    } else {
      second_high = std::max(second_high, bounds.high);
    }
  }
  result.possible = std::max(0.0, second_high - result.best_low);
  if (untried || result.possible > rule.margin) return result;
  result.standing = Standing::kBest;
  if (result.possible == 0) return result;
  // Some others may be slightly better. They are equivalent unless the best may exceed them by more
  // than the margin.
  for (size_t i = 0; i < at.size(); ++i) {
    const Interval bounds = BoundsOf(at, i, draw, rule.error);
    if (bounds.high > result.best_low && best_high - bounds.low > rule.margin && i != result.best) {
      return result;
    }
  }
  result.standing = Standing::kEquivalent;
  return result;
}

bool StaysInPlay(const Choices& at, DrawValue draw, const Settling& rule, const Settlement& settled,
                 size_t i) {
  if (i == settled.best) return true;
  return settled.standing == Standing::kEquivalent &&
         BoundsOf(at, i, draw, rule.error).high > settled.best_low;
}

const char* Name(Standing standing) {
  switch (standing) {
    case Standing::kNoChoice:
      return "no-choice";
    case Standing::kOpen:
      return "open";
    case Standing::kBest:
      return "best";
    case Standing::kEquivalent:
      break;
  }
  return "equivalent";
}

}  // namespace joseki::book
