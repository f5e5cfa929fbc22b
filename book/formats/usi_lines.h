#pragma once

#include <string>
#include <vector>

#include "book/formats/position.h"

namespace joseki::book {

// The lines of a book as game lists, one per line: "startpos moves 7g7f 3c3d ...". Every move
// occurs in at least one line. A line follows best moves first, until it leaves the book or reaches
// a position that an earlier line continued from. Positions not reached from the start begin lines
// of their own ("sfen ... moves ..."). Values and counts are dropped. Equal books give equal text.
std::string WriteUsiLines(std::vector<DbPosition> positions);
// The lines of a xiangqi book in UCCI form ("startpos moves h2e2 h9g7", "fen ... moves ...").
std::string WriteUcciLines(std::vector<DbPosition> positions);

}  // namespace joseki::book
