#pragma once

#include <vector>

#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The share of each move of a position: by base weights; without those, by games and imported
// counts; else equal.
std::vector<double> PlayedShares(const ExportBook::Position& position);

// The reach of each position of a book, from the start position of the game, in the order of
// `book.positions`. A reach lies between 0 and 1: the product of the shares of the moves along a
// line (PlayedShares), summed over all lines, transpositions included. The rule is the same for
// both sides.
std::vector<double> ReachOf(const Rules& rules, const ExportBook& book);

}  // namespace joseki::coordinator
