#include "coordinator/scheduling/residuals.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace joseki::coordinator {
namespace {

double ValueOf(book::Score score) {
  switch (score) {
    case book::Score::kLoss:
      return 0;
    case book::Score::kDraw:
      return 0.5;
    case book::Score::kWin:
      return 1;
  }
  return 0;
}

}  // namespace

void Residuals::Add(const std::string& worker, const ResidualGame& game) {
  Sums& sums = sums_[worker];
  if (game.termination == Termination::kStall || game.termination == Termination::kTimeForfeit) {
    ++sums.time_losses;
  }
  if (IsFault(game.termination)) return;
  ++sums.games;
  sums.plies += game.plies;
  sums.nodes += game.nodes;
  sums.think_ms += game.think_ms;
  const double n = game.before.games();
  if (!game.scored || n < kLeastGames) return;
  const double won = game.before.wins + 0.5 * game.before.draws;
  const double mean = won / n;
  // Shrunk towards one half: a move that only ever won may still lose.
  const double shrunk = (won + 1) / (n + 2);
  ++sums.compared;
  sums.score += ValueOf(game.score);
  sums.expected += mean;
  sums.variance += shrunk * (1 - shrunk) * (1 + 1 / n);
}

uint64_t Residuals::Compared(const std::string& worker) const {
  const auto at = sums_.find(worker);
  return at == sums_.end() ? 0 : at->second.compared;
}

Residuals::Yardstick Residuals::Measure() const {
  std::vector<double> surplus;
  for (const auto& [worker, sums] : sums_) {
    if (sums.compared < kLeastCompared) continue;
    surplus.push_back((sums.score - sums.expected) / static_cast<double>(sums.compared));
  }
  if (surplus.empty()) return {};
  const auto middle = surplus.begin() + static_cast<std::ptrdiff_t>(surplus.size() / 2);
  std::nth_element(surplus.begin(), middle, surplus.end());
  if (surplus.size() % 2 != 0) return {*middle, surplus.size()};
  const double below = *std::max_element(surplus.begin(), middle);
  return {(below + *middle) / 2, surplus.size()};
}

WorkerResiduals Residuals::Of(const std::string& worker, const Yardstick& yardstick) const {
  WorkerResiduals result;
  const auto at = sums_.find(worker);
  if (at == sums_.end()) return result;
  const Sums& sums = at->second;
  result.games = sums.games;
  result.time_losses = sums.time_losses;
  result.conflicts = sums.conflicts;
  if (sums.games > 0) {
    result.mean_plies = static_cast<double>(sums.plies) / static_cast<double>(sums.games);
  }
  if (sums.think_ms > 0) {
    result.nodes_per_second =
        1000 * static_cast<double>(sums.nodes) / static_cast<double>(sums.think_ms);
  }
  if (sums.compared == 0) return result;
  const auto compared = static_cast<double>(sums.compared);
  const double expected = sums.expected + yardstick.surplus * compared;
  result.score = sums.score / compared;
  result.expected = expected / compared;
  result.z = (sums.score - expected) / std::sqrt(sums.variance);
  if (yardstick.workers < 3 || sums.compared < kLeastCompared) return result;
  const double alone = std::erfc(std::abs(result.z) / std::sqrt(2.0));
  const auto workers = static_cast<double>(yardstick.workers);
  result.p = alone >= 1 ? 1 : -std::expm1(workers * std::log1p(-alone));
  return result;
}

}  // namespace joseki::coordinator
