#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/records/game_writer.h"

namespace joseki::book {

// Writes the game as a KIF record in UTF-8. ReadKif reads it back if it begins at the start
// position; another start is written as a diagram. A game that ended in a fault is 中断 with the
// fault as a comment, because it was no loss. InvalidArgument if the start is no position or a move
// is illegal.
absl::StatusOr<std::string> WriteKif(const WrittenGame& game);

}  // namespace joseki::book
