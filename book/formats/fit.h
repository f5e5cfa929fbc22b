#pragma once

#include "book/formats/book_file.h"
#include "book/formats/position.h"
#include "engine/core/types.h"

namespace joseki::book {

// Changes a position for writing so that every reader of the format (ReadersOf), with its default
// options, plays `answer` there and nothing else; only BookMoves of YaneuraOu, which no file can
// change, may keep it from that:
//   value  the answer's is lifted to the limits of its side, the others' are at most kAnswerMargin
//          below it
//   depth  the answer's is at least YaneuraOu's BookDepthLimit
//   count  the answer's is at least that of each other; where counts alone decide
//          (Apery, ShogiGUI, ElephantEye) the others have none
// Other fields stay as they are. REQUIRES: the position has the move.
void FitFor(BookFormat format, Move answer, DbPosition& position);

// YaneuraOu plays any move within BookEvalDiff (30) of its first move's value.
inline constexpr int kAnswerMargin = 31;
// The least value of a move of that side that every reader's defaults let pass.
int LeastValue(Color side);

}  // namespace joseki::book
