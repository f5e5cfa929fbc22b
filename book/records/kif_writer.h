#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/records/game_writer.h"

namespace joseki::book {

// The game as a KIF record in UTF-8 that ReadKif reads back, where it begins at the start position;
// a start of another kind is a diagram. A game that a fault ended is 中断, with the fault as a
// comment: it was no loss. InvalidArgument where the start is no position or a move is not legal.
absl::StatusOr<std::string> WriteKif(const WrittenGame& game);

}  // namespace joseki::book
