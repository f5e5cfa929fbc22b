#include "book/tuning/result_driven.h"

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "book/graph.h"

namespace joseki::book {
namespace {

constexpr int64_t kRandPerColumn = 512;
constexpr int64_t kGamesPerColumn = 1000;
constexpr int64_t kMaxDelta = 1'000'000;
constexpr int64_t kMaxRand = 1'000'000'000;

// A list with one value for each stage; a single value applies to all of them.
std::vector<int64_t> ForStages(PolicyOptions& options, const std::string& name, int64_t missing,
                               int64_t low, int64_t high, size_t stages) {
  std::vector<int64_t> values = options.Integers(name, {missing}, low, high);
  if (values.size() == 1) values.resize(stages, values.front());
  if (values.size() != stages) {
    options.Refuse(name, absl::StrCat("one number, or one for each of the ", stages, " stages"));
    values.resize(stages, missing);
  }
  return values;
}

// Divides `total` among the stages; earlier ones take the remainder. Stages without games are
// dropped.
void ShareOut(int64_t total, std::vector<Stage>& stages) {
  const auto count = static_cast<int64_t>(stages.size());
  for (int64_t i = 0; i < count; ++i) stages[i].games = total / count + (i < total % count ? 1 : 0);
  std::erase_if(stages, [](const Stage& stage) { return stage.games == 0; });
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Policy>> ResultDriven::Make(PolicyOptions options) {
  const int64_t column = options.Integer("column", 1, 1, 5);
  const std::vector<int64_t> deltas = options.Integers("delta", {16, 8, 4, 2, 1}, 1, kMaxDelta);
  const std::vector<int64_t> rands =
      ForStages(options, "rand", kRandPerColumn * column, 0, kMaxRand, deltas.size());
  const std::vector<int64_t> games =
      ForStages(options, "games", kGamesPerColumn * column, 1, kMaxGames, deltas.size());
  std::vector<Stage> stages;
  for (size_t i = 0; i < deltas.size(); ++i) {
    stages.push_back({deltas[i], rands[i], static_cast<uint64_t>(games[i])});
  }
  if (options.Has("total_games")) {
    const int64_t total = options.Integer("total_games", kGamesPerColumn, 1, kMaxGames);
    if (!options.Has("games")) ShareOut(total, stages);
  }
  const bool from_frequency = options.Word("start", {"zero", "frequency"}) == 1;
  const int64_t cap = options.Integer("start_cap", kRandPerColumn * column / 2, 1, kMaxBaseWeight);
  RETURN_IF_ERROR(options.Finish());
  return std::make_unique<const ResultDriven>(std::move(stages), from_frequency ? cap : 0);
}

ResultDriven::ResultDriven(std::vector<Stage> stages, int64_t start_cap)
    : stages_(std::move(stages)), start_cap_(start_cap) {}

const Stage& ResultDriven::StageAt(int stage) const {
  return stages_[std::min(static_cast<size_t>(stage), stages_.size() - 1)];
}

int64_t ResultDriven::Sum(const Arm& arm) const {
  return arm.sum + std::clamp(arm.base_weight, -start_cap_, start_cap_);
}

size_t ResultDriven::Choose(const Choices& at, const Turn& turn, Rng& rng) const {
  const std::span<const Arm> arms = at.arms;
  if (arms.size() == 1) return 0;
  const auto noise = static_cast<uint64_t>(StageAt(turn.stage).rand) + 1;
  size_t best = 0;
  int64_t best_value = 0;
  uint64_t ties = 0;
  for (size_t i = 0; i < arms.size(); ++i) {
    const int64_t value = Sum(arms[i]) + static_cast<int64_t>(rng.Below(noise));
    if (ties == 0 || value > best_value) {
      best = i;
      best_value = value;
      ties = 1;
    } else if (value == best_value && rng.Below(++ties) == 0) {
      best = i;  // each of the tied arms is equally likely
    }
  }
  return best;
}

void ResultDriven::Credit(Arm& arm, Score score, int stage) const {
  const int64_t delta = StageAt(stage).delta;
  switch (score) {
    case Score::kWin:
      ++arm.evidence.wins;
      arm.sum += delta;
      break;
    case Score::kDraw:
      ++arm.evidence.draws;
      break;
    case Score::kLoss:
      ++arm.evidence.losses;
      arm.sum -= delta;
      break;
  }
}

size_t ResultDriven::Answer(const Choices& at) const {
  const std::span<const Arm> arms = at.arms;
  const auto rank = [this](const Arm& arm) {
    return std::tuple(Sum(arm), arm.evidence.games(), arm.base_weight);
  };
  return std::max_element(arms.begin(), arms.end(),
                          [&](const Arm& a, const Arm& b) { return rank(a) < rank(b); }) -
         arms.begin();
}

}  // namespace joseki::book
