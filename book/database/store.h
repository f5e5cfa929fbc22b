#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/migrations.h"

namespace SQLite {
class Database;
}

namespace joseki::book {

enum class OpenMode {
  kReadOnly,   // NotFound if there is none
  kReadWrite,  // NotFound if there is none
  kCreate,     // makes an empty book where there is none
};

// The game of a book where none is named.
inline constexpr std::string_view kDefaultGame = "shogi";

// The identity of a book until a backup is restored over it: 32 hexadecimal digits.
std::string RandomEpoch();

// Deletes a book that was always empty, which a command made and then failed. It stays if anything
// is in it, if it is open elsewhere, or if that cannot be told.
void RemoveIfNothingIsIn(const std::string& path);

// One connection to a book database: WAL, synchronous=FULL, foreign keys on, busy timeout set.
// Opening checks that the file is ours, migrates an older schema in any mode ("coordinator_running"
// while a coordinator has it open), and refuses a newer one untouched ("newer_schema"). `game` is
// Rules::game(): a new book is of it, and a book of another game is "other_game"; empty: any game,
// and a new book is of kDefaultGame. `steps` make the schema; tests give steps of their own. Not
// thread-safe: each thread opens its own.
class Store {
 public:
  static absl::StatusOr<std::unique_ptr<Store>> Open(
      const std::string& path, OpenMode mode, std::string_view game = {},
      std::span<const Migration> steps = Migrations());
  ~Store();

  const std::string& path() const { return path_; }
  const std::string& epoch() const { return epoch_; }
  const std::string& game() const { return game_; }

  // The connection, for the repositories beside this file (book_store, run_store) alone: SQLiteCpp
  // throws, and its exceptions stop at their doors (sql.h).
  SQLite::Database& db() { return *db_; }

 private:
  Store(std::string path, std::unique_ptr<SQLite::Database> db);

  std::string path_;
  std::string epoch_;
  std::string game_;
  std::unique_ptr<SQLite::Database> db_;
};

}  // namespace joseki::book
