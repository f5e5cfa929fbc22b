#pragma once

#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <optional>
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

// The book in the tables: positions and moves as rows, and games in blocks beside them. Everything
// here may throw SQLite's exceptions (GuardSql).

inline constexpr int kNoPly = 0x10000;  // more than any

void BindPacked(SQLite::Statement& statement, int index, const PackedPosition& packed);
// DataLoss "database_corrupt" where the column is none, in `file`.
absl::StatusOr<PackedPosition> PackedOf(const SQLite::Column& column, const std::string& file);
Move MoveAt(SQLite::Statement& row, int column);

// Adds what the games of one more source say; sources come in ascending order.
void TakePlayed(const PlayedPosition& played, bool professional, BookPosition& position);

// Reads the moves of one position after the other with statements prepared once.
class MoveReader {
 public:
  explicit MoveReader(SQLite::Database& db);

  // Moves of the row with this id, ascending by move.
  std::vector<BookMove> Read(int64_t position);

 private:
  SQLite::Statement moves_;
  SQLite::Statement counts_;
  SQLite::Statement values_;
};

// Reads the book in order: its rows and its blocks together.
class BookScan {
 public:
  explicit BookScan(Store& store);

  // False at the end.
  absl::StatusOr<bool> Next(BookPosition& position);

 private:
  absl::Status NextRow();

  Store& store_;
  SQLite::Statement rows_;
  MoveReader moves_;
  PlayedMerge played_;
  PackedPosition packed_;  // of the row at hand
  bool row_ = false;       // there is one
  bool begun_ = false;
};

// Finds single positions, fastest in ascending order.
class BookLookup {
 public:
  explicit BookLookup(Store& store);

  absl::StatusOr<std::optional<BookPosition>> Find(const PackedPosition& packed);
  // The moves of a position that have rows, or stand in blocks of sources before `source`.
  absl::Status Before(int64_t source, const PackedPosition& packed, std::vector<Move>& moves);

 private:
  SQLite::Statement row_;
  MoveReader moves_;
  PlayedLookup played_;
};

}  // namespace joseki::book
