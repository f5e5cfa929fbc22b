#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/records/game_writer.h"

namespace joseki::book {

// The game as a CSA record (V2.2) that ReadCsa reads back, without a separator at its end. A game
// that a fault ended is %CHUDAN, with the fault as a comment: it was no loss. InvalidArgument where
// the start is no position or a move is not legal.
absl::StatusOr<std::string> WriteCsa(const WrittenGame& game);

}  // namespace joseki::book
