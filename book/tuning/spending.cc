#include "book/tuning/spending.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace joseki::book {
namespace {

struct Estimate {
  double mean = 0;
  double variance = 0;
};

Estimate EstimateOf(const Choices& at, DrawValue draw, size_t i) {
  if (!at.values.empty() && at.values[i].own.known()) {
    return {at.values[i].own.score(), at.values[i].own.var()};
  }
  const Evidence& evidence = at.arms[i].evidence;
  const double n = evidence.games();
  const double points = 1e-3 * static_cast<double>(draw.Points(evidence, at.mover));
  const double mean = (points + 1) / (n + 2);
  return {mean, mean * (1 - mean) / (n + 3)};
}

// Mean of max(0, X) for a normal X.
double MeanAboveZero(double mean, double variance) {
  constexpr double kRootOfTwoPi = 2.5066282746310002;
  if (variance <= 0) return std::max(mean, 0.0);
  const double s = std::sqrt(variance);
  const double z = mean / s;
  return s * std::exp(-z * z / 2) / kRootOfTwoPi + mean * std::erfc(-z / std::sqrt(2.0)) / 2;
}

}  // namespace

double ExpectedGain(const Choices& at, DrawValue draw, size_t answer) {
  const Estimate played = EstimateOf(at, draw, answer);
  double gain = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    if (i == answer) continue;
    const Estimate other = EstimateOf(at, draw, i);
    gain =
        std::max(gain, MeanAboveZero(other.mean - played.mean, other.variance + played.variance));
  }
  return gain;
}

Spending SpendingOf(const Tuner& tuner, const Settling& rule, std::span<const uint32_t> recent,
                    size_t most) {
  Spending spending;
  const Graph& graph = tuner.graph();
  const DrawValue draw = tuner.policy().draw_value();
  const auto all = static_cast<double>(std::max<size_t>(tuner.distinct_games(), 1));
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    if (graph.stop(node).count < 2) continue;
    ++spending.positions;
    PositionSpending position;
    position.node = node;
    for (const Arm& arm : tuner.arms(node)) {
      position.games += arm.evidence.games();
      position.repeats += arm.evidence.repeats;
    }
    if (position.games + position.repeats == 0) continue;
    ++spending.reached;
    const Choices choices = tuner.choices(node);
    position.recent = recent.empty() ? 0 : recent[node];
    position.standing = Settle(choices, draw, rule).standing;
    if (position.standing != Standing::kOpen) ++spending.settled;
    position.answer = tuner.policy().Answer(choices);
    position.gain =
        ExpectedGain(choices, draw, position.answer) * static_cast<double>(position.games) / all;
    spending.gain += position.gain;
    spending.top.push_back(position);
  }
  const auto rank = [](const PositionSpending& p) {
    return std::tuple(~p.recent, ~p.games, p.node);
  };
  const size_t shown = std::min(most, spending.top.size());
  std::partial_sort(spending.top.begin(), spending.top.begin() + static_cast<std::ptrdiff_t>(shown),
                    spending.top.end(), [&](const PositionSpending& a, const PositionSpending& b) {
                      return rank(a) < rank(b);
                    });
  spending.top.resize(shown);
  return spending;
}

}  // namespace joseki::book
