#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"
#include "book/formats/yaneuraou_db.h"
#include "engine/xiangqi/position.h"

namespace joseki::book {

// The .obk of Chinese programs (docs/reference/formats.md), of xiangqi: a SQLite file with a table
// of moves under 64-bit keys of their positions, which stand nowhere themselves. So it is read by
// walking, as BOOK.DAT. A position has the moves under its own key and those of its mirror image.

uint64_t ObkKey(const xiangqi::Position& position);

// True if `bytes` are a SQLite file that names such a table.
bool IsObk(std::string_view bytes);

// Reads the bytes in place: no file is opened and none is written. Gives each position that is
// reached from the start, in the order of its distance. Counts are those of vscore, or games if no
// move of the position has a score. Rows that are switched off are skipped. Rejected are rows
// without a key or a move ("bad_row"), rows of a position that is not reached
// ("unreached_position") and moves that are not legal, where others are ("illegal_move"). Fails as
// a whole if there is no SQLite file ("not_sqlite"), no such table ("no_table"), a column is
// missing ("missing_column"), or SQLite cannot read it to its end ("broken_database").
absl::Status ReadObk(std::string_view bytes, std::string_view file, const DbSink& sink);

// Rows by key, those of a position by count, which is the score. Counts above ten million are
// scaled down together for a whole position, and none becomes 0 by it. Of two positions that are
// mirror images the one with more games gives the moves of both, since programs look at both. A
// position whose key another one has is left out. The comment is what vmemo says.
std::string WriteObk(std::vector<DbPosition> positions, const DbComment& comment = nullptr);

}  // namespace joseki::book
