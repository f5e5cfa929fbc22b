#include "coordinator/runs/run_limits.h"

#include <algorithm>
#include <limits>
#include <map>

#include "absl/strings/str_format.h"
#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

uint64_t Less(uint64_t from, uint64_t what) { return from > what ? from - what : 0; }

}  // namespace

bool RunLimits::no_gain_left() const {
  const std::optional<double> left = evidence.gain_left();
  return left && *left <= row.spec.stop.least_gain;
}

bool RunLimits::nothing_left() const {
  return no_gain_left() && !(row.spec.extension && row.spec.extension->regardless);
}

uint64_t RunLimits::ExpectedGames() const {
  constexpr uint64_t kForPace = 100;
  uint64_t expected = row.spec.games > 0 ? row.spec.games : kMaxRunGames;
  const bool by_time = row.spec.seconds > 0 && row.played_ms > 0 && games_spent() >= kForPace;
  if (by_time) {
    const double pace = static_cast<double>(games_spent()) / static_cast<double>(row.played_ms);
    const double games = pace * 1e3 * static_cast<double>(row.spec.seconds);
    expected = std::min(expected, static_cast<uint64_t>(std::min(games, 1e18)));
  }
  return by_time || row.spec.games > 0 ? expected : 2 * games_spent();
}

uint64_t RunLimits::GamesLeft(uint64_t open) const {
  if (!row.CanPlay() || nothing_left()) return 0;
  if (match) return match->Available();
  uint64_t left = std::numeric_limits<uint64_t>::max();
  if (row.spec.games > 0) left = Less(row.spec.games, games_spent() + open);
  if (book.stages() > 0) {
    if (row.stage >= book.stages()) return 0;
    left = std::min(left, Less(StageLeft(), open));
  }
  return left;
}

uint64_t RunLimits::StageLeft() const {
  const auto missing = [this](int stage) {
    const std::map<int, uint64_t>& counted = evidence.counters().counted;
    const auto at = counted.find(stage);
    const uint64_t quota = book.policy->stages()[static_cast<size_t>(stage)].games;
    return Less(quota, at == counted.end() ? 0 : at->second);
  };
  // Earlier stages were complete: they lack only games since taken out of the evidence.
  uint64_t left = 0;
  for (int stage = 0; stage <= row.stage; ++stage) left += missing(stage);
  return left;
}

std::string RunLimits::EndReason() const {
  if (row.time_over()) return "the time is used up";
  if (match) return MatchEnd(match->series().state());
  if (budget_used()) return "the games are played";
  if (nothing_left()) {
    return absl::StrFormat(
        "no position is left worth a game: what could still be found is worth %.2g of the score, "
        "not more than %.2g",
        *evidence.gain_left(), row.spec.stop.least_gain);
  }
  return "the last stage is over";
}

std::optional<std::string> RunLimits::StableAnswers() const {
  const std::optional<double> share = evidence.answers_changed();
  if (!share || *share > row.spec.stop.least_change) return std::nullopt;
  return absl::StrFormat(
      "the answers are stable: stage %d changed them for %.2g of its moves, not more than %.2g",
      row.stage + 1, *share, row.spec.stop.least_change);
}

}  // namespace joseki::coordinator
