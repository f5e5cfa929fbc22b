#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// The command joseki-engine transitions. Reads games, one on each line as in USI's "position".
// Counts, for each stage of the game and category of moves, the positions where such a move was
// legal, and where one was played. Several moves of a category in a position count once. Prints
// engine/search/shogi/transitions.h, with the numbers of games and positions. A game counts up to
// its first illegal move. Totals and the number of such games go to `err`.
absl::Status CountTransitions(const std::vector<std::string>& files, std::ostream& out,
                              std::ostream& err);

}  // namespace joseki
