#pragma once

#include <cstddef>
#include <string_view>

namespace joseki::book {

// Finds the beginnings of games in a file of PGN, by its bytes: UTF-8 and GB18030 have the same
// line feeds and brackets.

// The line without blanks around it and carriage returns at its end, of which some files have two.
std::string_view PgnLine(std::string_view line);

// True if the line is a tag: [Name "value"]. No other line is taken for one, and no comment goes on
// behind one, so that a file can be cut before any game.
bool IsPgnTag(std::string_view line);

// Before the last line that begins a game's tags: how many bytes stand there; 0 if there is none.
size_t PgnCutOf(std::string_view bytes);

}  // namespace joseki::book
