#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// joseki-engine transitions: counts, over the positions of games (one a line, as USI's "position"
// gives them), in how many there was a legal move of each category, and in how many one was played,
// for each stage of the game. Several moves of one category in a position count once. Prints
// engine/search/shogi/transitions.h, with the number of games and positions. A game counts up to
// its first illegal move; at the end the games, positions and games that were broken off are told
// on `err`.
absl::Status CountTransitions(const std::vector<std::string>& files, std::ostream& out,
                              std::ostream& err);

}  // namespace joseki
