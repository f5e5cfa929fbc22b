#pragma once

#include <span>
#include <vector>

#include "book/stats/clustered.h"
#include "book/stats/series.h"
#include "cli/match/game.h"

namespace joseki::cli {

// The counted pairs from the view of `side`: its scores, and the lines by which it left its book.
// `games` are all games of the series. A game stands alone as a line if `side` never left its book,
// or the file does not say where. `scores_of_a`: of each game, instead of its result; empty: the
// results count.
std::vector<book::PairedGames> PairsByLine(const book::Series& series,
                                           std::span<const MatchGame> games, book::Side side,
                                           std::span<const double> scores_of_a = {});

}  // namespace joseki::cli
