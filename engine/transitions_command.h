#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// The command joseki-engine transitions. Reads games, one on each line as in USI's "position". For
// each stage of the game and each category of moves it counts the positions in which such a move
// was legal, and those in which one was played. Several moves of a category in a position count
// once. Prints engine/search/shogi/transitions.h, with the numbers of games and positions. A game
// counts up to its first illegal move. Totals and the number of such games go to `err`.
absl::Status CountTransitions(const std::vector<std::string>& files, std::ostream& out,
                              std::ostream& err);

}  // namespace joseki
