#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "book/formats/position.h"

namespace joseki::book {

// Depths that YaneuraOu's tools give moves whose line goes round.
inline constexpr int kRepetitionDepth = 9999;

struct DbMinimaxReport {
  size_t transpositions = 0;  // moves that were added, for they lead to a position of the book
  uint32_t circles = 0;       // components that lead back to themselves
  uint32_t largest = 0;       // positions in the largest
};

// Gives every move its value by minimax over the whole book (book/minimax.h), from the values of
// the moves that leave the book, and as its depth the plies to the end of the line,
// kRepetitionDepth if it goes round. With `add_moves` legal moves that lead to a position of the
// book and are not in it are added, with a count of 0. `draw` is the value of a repetition for
// Black. `turned`: all positions have Black to move and represent the turned ones too
// (TurnToBlack); a repetition is then worth 0, and perpetual check is not recognised. Leaves the
// positions canonical.
DbMinimaxReport MinimaxBook(std::vector<DbPosition>& positions, bool turned, int32_t draw = 0,
                            bool add_moves = true);

}  // namespace joseki::book
