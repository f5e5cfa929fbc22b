#pragma once

#include <cstddef>
#include <string_view>

namespace joseki::book {

// Finds the borders between games in a KIF or KI2 text, in UTF-8 or Shift_JIS.

// True if a line can occur only before the moves of a game: after moves it begins another game.
bool OpensKifGame(std::string_view line);

// Finds where a text that begins with `bytes` can be cut, so that both parts together read like the
// whole. The place is before the last game that begins in `bytes` after moves; 0 if there is none.
// `relative`: KI2.
size_t KifCutOf(std::string_view bytes, bool relative);

}  // namespace joseki::book
