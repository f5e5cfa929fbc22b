#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/records/game_writer.h"
#include "book/records/xiangqi_notation.h"

namespace joseki::book {

// Writes the game as xiangqi PGN, followed by an empty line. ReadPgn reads it back if it begins at
// the start position. A game that ended in a fault has no result ("*"), because it was no loss. A
// comment after the moves says why the game ended. InvalidArgument if the start is no position or a
// move is illegal.
absl::StatusOr<std::string> WritePgn(const WrittenGame& game,
                                     XiangqiNotation notation = XiangqiNotation::kIccs);

}  // namespace joseki::book
