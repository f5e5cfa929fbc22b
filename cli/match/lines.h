#pragma once

#include <span>
#include <vector>

#include "book/stats/clustered.h"
#include "book/stats/series.h"
#include "cli/match/game.h"

namespace joseki::cli {

// The pairs that count, as `side` has them: what it scored, and the lines by which it left its
// book. `games` are all that the series was told of. A game of which it is not known where the side
// left its book is a line of its own; so is one whose end it reached in its book.
std::vector<book::PairedGames> PairsByLine(const book::Series& series,
                                           std::span<const MatchGame> games, book::Side side);

}  // namespace joseki::cli
