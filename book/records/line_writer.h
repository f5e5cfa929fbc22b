#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/records/game_writer.h"

namespace joseki::book {

// The game as one line of a protocol's position command, "startpos moves 7g7f 3c3d": USI's with an
// SFEN behind "sfen" where it begins elsewhere, UCCI's with a FEN behind "fen". Who won is not
// said. InvalidArgument where the start is no position or a move is not legal.
absl::StatusOr<std::string> WriteUsiLine(const WrittenGame& game);
absl::StatusOr<std::string> WriteUcciLine(const WrittenGame& game);

}  // namespace joseki::book
