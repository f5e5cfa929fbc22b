#include "book/tuning/sample_average.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/status_macros.h"
#include "book/tuning/answers.h"
#include "book/tuning/choosing.h"

namespace joseki::book {
namespace {

absl::StatusOr<std::unique_ptr<const Policy>> Make(std::string_view name, PolicyOptions& options,
                                                   SampleAverage::Constants constants) {
  constants.draw = DrawOption(options);
  constants.untried_value = options.Number("untried_value", constants.untried_value, 0, 2);
  for (const int64_t games : options.Integers("games", {}, 1, kMaxGames)) {
    constants.stages.push_back({0, 0, static_cast<uint64_t>(games)});
  }
  // Checks the number only: a rule without stages does not use it.
  options.Integer("total_games", 1, 1, kMaxGames);
  RETURN_IF_ERROR(options.Finish());
  return std::make_unique<const SampleAverage>(name, std::move(constants));
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Policy>> SampleAverage::MakeGreedy(PolicyOptions options) {
  return Make("sample-average", options, {});
}

absl::StatusOr<std::unique_ptr<const Policy>> SampleAverage::MakeEpsilonGreedy(
    PolicyOptions options) {
  Constants constants;
  constants.epsilon = options.Number("epsilon", 0.1, 0, 1);
  return Make("epsilon-greedy", options, std::move(constants));
}

SampleAverage::SampleAverage(std::string_view name, Constants constants)
    : name_(name), constants_(std::move(constants)) {}

double SampleAverage::Mean(const Arm& arm, Color mover) const {
  if (arm.evidence.games() == 0) return constants_.untried_value;
  return constants_.draw.Mean(arm.evidence, mover);
}

size_t SampleAverage::Choose(const Choices& at, const Turn& /*turn*/, Rng& rng) const {
  const std::span<const Arm> arms = at.arms;
  if (arms.size() == 1) return 0;
  if (constants_.epsilon > 0 && rng.Unit() < constants_.epsilon) return rng.Below(arms.size());
  size_t best = 0;
  double best_value = 0;
  uint64_t ties = 0;
  for (size_t i = 0; i < arms.size(); ++i) {
    const double value = Mean(arms[i], at.mover);
    if (ties == 0 || value > best_value) {
      best = i;
      best_value = value;
      ties = 1;
    } else if (value == best_value && rng.Below(++ties) == 0) {
      best = i;
    }
  }
  return best;
}

void SampleAverage::Credit(Arm& arm, Score score, int /*stage*/) const {
  Count(arm.evidence, score);
}

size_t SampleAverage::Answer(const Choices& at) const {
  const std::span<const Arm> arms = at.arms;
  const auto rank = [&](const Arm& arm) {
    const bool tried = arm.evidence.games() > 0;
    return std::tuple(tried, tried ? Mean(arm, at.mover) : 0, arm.evidence.games(),
                      arm.base_weight);
  };
  return std::max_element(arms.begin(), arms.end(),
                          [&](const Arm& a, const Arm& b) { return rank(a) < rank(b); }) -
         arms.begin();
}

}  // namespace joseki::book
