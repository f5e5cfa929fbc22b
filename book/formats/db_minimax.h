#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "book/formats/position.h"

namespace joseki::book {

// Depth by which YaneuraOu's tools mark a move whose line repeats.
inline constexpr int kRepetitionDepth = 9999;

struct DbMinimaxReport {
  size_t transpositions = 0;  // added moves that lead to a position of the book
  uint32_t circles = 0;       // components with a cycle
  uint32_t largest = 0;       // positions in the largest such component
};

// Sets every move's value by minimax over the whole book (book/minimax.h), from the values of the
// moves that leave the book. A move's depth becomes the plies to the end of its line, or
// kRepetitionDepth if the line repeats. `add_moves` adds legal moves that lead to a position of the
// book, with a count of 0. `draw` is the value of a repetition for the first side. `turned`: all
// positions have Black to move and also stand for their turned images (TurnToBlack). A repetition
// is then worth 0, and perpetual check is not recognised. A perpetual chase of xiangqi never is.
// Leaves the positions canonical. REQUIRES: all positions are of one game.
DbMinimaxReport MinimaxBook(std::vector<DbPosition>& positions, bool turned, int32_t draw = 0,
                            bool add_moves = true);

}  // namespace joseki::book
