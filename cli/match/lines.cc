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
                                           std::span<const MatchGame> games, book::Side side) {
  std::map<std::tuple<uint32_t, uint32_t, bool>, const MatchGame*> by_name;
  for (const MatchGame& game : games) {
    by_name.emplace(std::tuple(game.game.pair, game.game.attempt, game.game.a_first), &game);
  }
  std::vector<book::PairedGames> pairs;
  for (const book::CountedPair& counted : series.counted()) {
    book::PairedGames pair;
    for (const bool a_first : {true, false}) {
      const auto game = by_name.find({counted.pair, counted.attempt, a_first});
      if (game == by_name.end()) continue;
      const double of_a = counted.points[a_first ? 0 : 1] / 2.0;
      const bool side_first = a_first == (side == book::Side::kA);
      pair.score[side_first ? 0 : 1] = side == book::Side::kA ? of_a : 1 - of_a;
      pair.line[side_first ? 0 : 1] = LineOf(*game->second, side);
    }
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace joseki::cli
