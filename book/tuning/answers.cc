#include "book/tuning/answers.h"

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "book/tuning/belief.h"

namespace joseki::book {
namespace {

constexpr double kOneSided = 1.6448536269514722;  // 95 % of a normal distribution lie below this
                                                  // many deviations

// Lower end of Wilson's interval for a mean score: exact for wins and losses, wide with draws.
double WilsonLow(double mean, double n) {
  constexpr double kZ2 = kOneSided * kOneSided;
  const double centre = mean + kZ2 / (2 * n);
  const double spread = kOneSided * std::sqrt(mean * (1 - mean) / n + kZ2 / (4 * n * n));
  return (centre - spread) / (1 + kZ2 / n);
}

}  // namespace

double Doubt(double games, double caution) {
  return caution * std::sqrt(kGameVariance / (games + 1));
}

size_t AnswerBy(AnswerRule rule, const Choices& at, DrawValue draw,
                std::span<const double> doubts) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  const auto rank = [&](size_t i) {
    const Arm& arm = at.arms[i];
    const double games = arm.evidence.games();
    const bool tried = games > 0;
    const double mean = tried ? draw.Mean(arm.evidence, at.mover) : kNever;
    const double worth = at.values.empty() ? mean : at.values[i].own.score();
    switch (rule) {
      case AnswerRule::kVisits:
        return std::tuple(games, worth, arm.base_weight);
      case AnswerRule::kLowerBound:
        if (at.values.empty()) {
          return std::tuple(tried ? WilsonLow(mean, games) : kNever, games, arm.base_weight);
        }
        return std::tuple(worth - kOneSided * std::sqrt(at.values[i].own.var()), games,
                          arm.base_weight);
      case AnswerRule::kMean:
        return std::tuple(mean, games, arm.base_weight);
      case AnswerRule::kValue:
        break;
    }
    return std::tuple(worth - (doubts.empty() ? 0 : doubts[i]), games, arm.base_weight);
  };
  size_t best = 0;
  for (size_t i = 1; i < at.size(); ++i) {
    if (rank(i) > rank(best)) best = i;
  }
  return best;
}

std::string_view InWords(AnswerRule rule, bool doubts) {
  switch (rule) {
    case AnswerRule::kVisits:
      return "most games; then best value, then largest base weight";
    case AnswerRule::kMean:
      return "best mean of the moves tried; then most games, then largest base weight";
    case AnswerRule::kLowerBound:
      return "largest lower bound at 95 %; then most games, then largest base weight";
    case AnswerRule::kValue:
      break;
  }
  if (doubts) {
    return "largest value, shrunk and backed up, less a part of its uncertainty; then most games, "
           "then "
           "largest base weight";
  }
  return "largest value, shrunk and backed up; then most games, then largest base weight";
}

AnswerRule AnswerOption(PolicyOptions& options, bool has_values, AnswerRule missing) {
  const std::vector<std::string> words = {"visits", has_values ? "value" : "mean", "lower-bound"};
  if (!options.Has("answer")) return missing;
  switch (options.Word("answer", words)) {
    case 0:
      return AnswerRule::kVisits;
    case 1:
      return has_values ? AnswerRule::kValue : AnswerRule::kMean;
    default:
      return AnswerRule::kLowerBound;
  }
}

DrawValue DrawOption(PolicyOptions& options) {
  return {std::llround(1000 * options.Number("draw_value", 0.5, 0, 1))};
}

}  // namespace joseki::book
