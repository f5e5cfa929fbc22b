#pragma once

#include <cstddef>
#include <string_view>

namespace joseki::book {

// Finds the beginnings of games in a PGN file by bytes: UTF-8 and GB18030 share line feeds and
// brackets.

// The line without surrounding blanks and trailing carriage returns, of which some files have two.
std::string_view PgnLine(std::string_view line);

// True if the line is a tag: [Name "value"]. No other line passes, and no comment continues after a
// tag, so a file can be cut before any game.
bool IsPgnTag(std::string_view line);

// Number of bytes before the last line that begins a game's tags; 0 if there is none.
size_t PgnCutOf(std::string_view bytes);

}  // namespace joseki::book
