#pragma once

#include <cstddef>
#include <string_view>

namespace joseki::book {

// Finds where one game ends and the next begins, in a text of KIF or KI2, in UTF-8 or Shift_JIS.

// True if a line stands before the moves of a game only: after moves, it begins another game.
bool OpensKifGame(std::string_view line);

// A place to cut a text that begins with `bytes`, so that both parts together read like the whole:
// before the last game that begins in `bytes` after moves; 0 if there is none. `relative`: KI2.
size_t KifCutOf(std::string_view bytes, bool relative);

}  // namespace joseki::book
