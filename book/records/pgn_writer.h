#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/records/game_writer.h"
#include "book/records/xiangqi_notation.h"

namespace joseki::book {

// The game as PGN of xiangqi that ReadPgn reads back, where it begins at the start position, with
// an empty line at its end. A game that a fault ended has no result ("*"), since it was no loss;
// why a game ended is a comment behind its moves. InvalidArgument where the start is no position
// or a move is not legal.
absl::StatusOr<std::string> WritePgn(const WrittenGame& game,
                                     XiangqiNotation notation = XiangqiNotation::kIccs);

}  // namespace joseki::book
