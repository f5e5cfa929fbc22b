#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/records/game_writer.h"

namespace joseki::book {

// Writes the game as a CSA record (V2.2) that ReadCsa reads back, without a trailing separator. A
// game that ended in a fault is %CHUDAN with the fault as a comment, because it was no loss.
// InvalidArgument if the start is no position or a move is illegal.
absl::StatusOr<std::string> WriteCsa(const WrittenGame& game);

}  // namespace joseki::book
