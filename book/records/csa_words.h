#pragma once

#include <string_view>

#include "book/records/replay.h"
#include "engine/shogi/types.h"

namespace joseki::book {

// The words of CSA, which JKF uses too.

// The piece that two letters name ("FU", "RY"); kNoPieceType for others.
shogi::PieceType PieceOfCsa(std::string_view letters);

// The meaning of the word for a game's end, without its '%'; kUnknown for one that tells no winner.
End EndOfCsaWord(std::string_view word);

}  // namespace joseki::book
