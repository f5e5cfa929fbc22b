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

// The .obk of Chinese xiangqi programs (docs/reference/formats.md): a SQLite file with a table of
// moves under 64-bit keys of their positions. Positions are not stored, so the book is read by
// walking, as BOOK.DAT is. A position has the moves under its own key and those of its mirror
// image.

uint64_t ObkKey(const xiangqi::Position& position);

// True if `bytes` is a SQLite file that names such a table.
bool IsObk(std::string_view bytes);

// Reads the bytes in place: no file is opened or written. Gives each position reached from the
// start, in the order of its distance. Counts are taken from vscore, or are the games if no move of
// the position has a score. Disabled rows are skipped. Rejects rows without key or move
// ("bad_row"), rows of unreached positions ("unreached_position"), and illegal moves of positions
// that have legal ones ("illegal_move"). Fails as a whole if the file is no SQLite file
// ("not_sqlite"), lacks the table ("no_table") or a column ("missing_column"), or cannot be read to
// its end ("broken_database").
absl::Status ReadObk(std::string_view bytes, std::string_view file, const DbSink& sink);

// Rows by key, those of a position by count, which is the score. If a count exceeds ten million,
// all counts of its position are scaled down; none becomes 0 thereby. Of two mirror images the one
// of which more is known (DbPosition::known, then the counts) provides the moves of both, because
// programs look up both. A position whose key is already taken is omitted. The comment goes to
// vmemo.
std::string WriteObk(std::vector<DbPosition> positions, const DbComment& comment = nullptr);

// The positions in the same order, each with the moves that WriteObk writes for it.
std::vector<DbPosition> AsWrittenToObk(const std::vector<DbPosition>& positions);

}  // namespace joseki::book
