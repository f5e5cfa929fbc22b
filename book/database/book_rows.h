#pragma once

#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/book_store.h"
#include "book/database/played_table.h"
#include "book/database/store.h"

namespace SQLite {
class Column;
class Database;
}  // namespace SQLite

namespace joseki::book {

// Reads the book's tables: positions and moves as rows, and games in blocks beside them. All
// functions here may throw SQLite's exceptions (GuardSql).

inline constexpr int kNoPly = 0x10000;  // larger than any ply

void BindPacked(SQLite::Statement& statement, int index, const PackedPosition& packed);
// A packed position from a column. DataLoss "database_corrupt", naming `file`, if it holds none.
absl::StatusOr<PackedPosition> PackedOf(const SQLite::Column& column, const std::string& file);
Move MoveAt(SQLite::Statement& row, int column);

// Adds the games of one more source to `position`. Sources must come in ascending order.
void TakePlayed(const PlayedPosition& played, bool professional, BookPosition& position);

// Reads the moves of one position after another, with prepared statements.
class MoveReader {
 public:
  explicit MoveReader(SQLite::Database& db);

  // Moves of the position with this row id, ascending by move.
  std::vector<BookMove> Read(int64_t position);

 private:
  SQLite::Statement moves_;
  SQLite::Statement counts_;
  SQLite::Statement values_;
  // Sources whose values Joseki has made of the book (kinds "expand" and "learn"). They stand over
  // those of earlier sources, however deep.
  std::set<int64_t> made_;
  std::vector<int> depths_;  // of the values found, by move of the position
};

// Reads the whole book in ascending order, rows and blocks combined.
class BookScan {
 public:
  explicit BookScan(Store& store);

  // Returns false at the end.
  absl::StatusOr<bool> Next(BookPosition& position);

 private:
  absl::Status NextRow();

  Store& store_;
  SQLite::Statement rows_;
  MoveReader moves_;
  PlayedMerge played_;
  PackedPosition packed_;  // position of the current row
  bool row_ = false;       // whether there is a current row
  bool begun_ = false;
};

// Looks up single positions; fastest in ascending order.
class BookLookup {
 public:
  explicit BookLookup(Store& store);

  absl::StatusOr<std::optional<BookPosition>> Find(const PackedPosition& packed);
  // The moves of a position that have rows, or are in blocks of sources before `source`.
  absl::Status Before(int64_t source, const PackedPosition& packed, std::vector<Move>& moves);

 private:
  SQLite::Statement row_;
  MoveReader moves_;
  PlayedLookup played_;
};

}  // namespace joseki::book
