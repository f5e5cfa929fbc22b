#include "cli/match/lines.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace joseki::cli {
namespace {

uint64_t LineOf(const MatchGame& game, book::Side side) {
  const std::optional<uint32_t> left_at = game.outcome.left_at[Index(side)];
  if (!left_at) return game.outcome.moves_hash;
  const size_t plies = std::min<size_t>(*left_at, game.moves.size());
  return HashOf(game.start,
                {game.moves.begin(), game.moves.begin() + static_cast<ptrdiff_t>(plies)});
}

}  // namespace

std::vector<book::PairedGames> PairsByLine(const book::Series& series,
                                           std::span<const MatchGame> games, book::Side side,
                                           std::span<const double> scores_of_a) {
  std::map<std::tuple<uint32_t, uint32_t, bool>, size_t> by_name;
  for (size_t i = 0; i < games.size(); ++i) {
    const book::SeriesGame& game = games[i].game;
    by_name.emplace(std::tuple(game.pair, game.attempt, game.a_first), i);
  }
  std::vector<book::PairedGames> pairs;
  for (const book::CountedPair& counted : series.counted()) {
    book::PairedGames pair;
    for (const bool a_first : {true, false}) {
      const auto game = by_name.find({counted.pair, counted.attempt, a_first});
      if (game == by_name.end()) continue;
      const double of_a =
          scores_of_a.empty() ? counted.points[a_first ? 0 : 1] / 2.0 : scores_of_a[game->second];
      const bool side_first = a_first == (side == book::Side::kA);
      pair.score[side_first ? 0 : 1] = side == book::Side::kA ? of_a : 1 - of_a;
      pair.line[side_first ? 0 : 1] = LineOf(games[game->second], side);
    }
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace joseki::cli
