#pragma once

#include <vector>

#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The share of each move of a position: by base weights; where there are none, by games and
// imported counts; else all alike.
std::vector<double> PlayedShares(const ExportBook::Position& position);

// How likely the lines of a book come to each of its positions from the start position of the game,
// between 0 and 1, in the order of `book.positions`: the product of the shares of the moves along a
// line (PlayedShares), added up over all lines, transpositions included. For both sides the same.
std::vector<double> ReachOf(const Rules& rules, const ExportBook& book);

}  // namespace joseki::coordinator
