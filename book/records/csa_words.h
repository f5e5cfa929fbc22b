#pragma once

#include <string_view>

#include "book/records/replay.h"
#include "engine/shogi/types.h"

namespace joseki::book {

// The words of CSA; JKF uses them too.

// The piece type of two letters ("FU", "RY"); kNoPieceType for others.
shogi::PieceType PieceOfCsa(std::string_view letters);

// Meaning of a word for the end of a game, without its '%'; kUnknown if it tells no winner.
End EndOfCsaWord(std::string_view word);

}  // namespace joseki::book
