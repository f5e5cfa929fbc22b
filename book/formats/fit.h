#pragma once

#include "book/formats/book_file.h"
#include "book/formats/position.h"
#include "engine/core/types.h"

namespace joseki::book {

// Changes a position so that every reader of the format (ReadersOf), under its default options,
// plays `answer` there and nothing else. One exception remains: no file can change YaneuraOu's
// BookMoves.
//   value  the answer's is raised to its side's limits; the others' are at least kAnswerMargin
//          below it
//   depth  the answer's is at least YaneuraOu's BookDepthLimit
//   count  the answer's is at least that of each other move; where counts alone decide
//          (.bin, .sbk, BOOK.DAT, .obk) the others' are 0
// Other fields stay unchanged. REQUIRES: the position has the move.
void FitFor(BookFormat format, Move answer, DbPosition& position);

// YaneuraOu plays any move within BookEvalDiff (30) of its first move's value.
inline constexpr int kAnswerMargin = 31;
// Smallest value, for a move of this side, that the defaults of all readers accept.
int LeastValue(Color side);

}  // namespace joseki::book
