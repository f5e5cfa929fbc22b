#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/records/game_writer.h"

namespace joseki::book {

// Writes the game as one line of a protocol's position command, "startpos moves 7g7f 3c3d". Another
// start is "sfen" and an SFEN in USI, "fen" and a FEN in UCCI. The result is not written.
// InvalidArgument if the start is no position or a move is illegal.
absl::StatusOr<std::string> WriteUsiLine(const WrittenGame& game);
absl::StatusOr<std::string> WriteUcciLine(const WrittenGame& game);

}  // namespace joseki::book
