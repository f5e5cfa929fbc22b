#pragma once

#include <string>
#include <vector>

#include "book/formats/position.h"

namespace joseki::book {

// The lines of a book as game lists have them, one a line: "startpos moves 7g7f 3c3d ...". Every
// move stands in at least one line. A line goes on, the best moves first, until it leaves the book
// or comes to a position that an earlier line went on from. Positions that the start does not lead
// to begin lines of their own ("sfen ... moves ..."). Values and counts have no place here. The
// same book is the same text.
std::string WriteUsiLines(std::vector<DbPosition> positions);
// The lines of xiangqi, as UCCI has them ("startpos moves h2e2 h9g7", "fen ... moves ...").
std::string WriteUcciLines(std::vector<DbPosition> positions);

}  // namespace joseki::book
