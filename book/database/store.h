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
  kReadOnly,   // NotFound if the file does not exist
  kReadWrite,  // NotFound if the file does not exist
  kCreate,     // creates an empty book if the file does not exist
};

// Game of a book if none is named.
inline constexpr std::string_view kDefaultGame = "shogi";

// Identity of a book until a backup is restored over it: 32 hexadecimal digits.
std::string RandomEpoch();

// Deletes a book that a failed command created and nothing was ever put into. The book is kept if
// it has content, is open elsewhere, or cannot be examined.
void RemoveIfNothingIsIn(const std::string& path);

// One connection to a book database: WAL, synchronous=FULL, foreign keys on, busy timeout set. Not
// thread-safe: each thread opens its own.
//
// Opening checks that the file is ours. An older schema is migrated in any mode
// ("coordinator_running" while a coordinator has the file open); a newer one is refused untouched
// ("newer_schema"). `game` is Rules::game(): a new book gets this game, and a book of another game
// is "other_game". An empty `game` accepts any; a new book then gets kDefaultGame. `steps` make the
// schema; tests pass their own.
class Store {
 public:
  static absl::StatusOr<std::unique_ptr<Store>> Open(
      const std::string& path, OpenMode mode, std::string_view game = {},
      std::span<const Migration> steps = Migrations());
  ~Store();

  const std::string& path() const { return path_; }
  const std::string& epoch() const { return epoch_; }
  const std::string& game() const { return game_; }

  // The connection, for the repositories here and in coordinator/store/ only. SQLiteCpp
  // throws; the repositories turn its exceptions into statuses (sql.h).
  SQLite::Database& db() { return *db_; }

 private:
  Store(std::string path, std::unique_ptr<SQLite::Database> db);

  std::string path_;
  std::string epoch_;
  std::string game_;
  std::unique_ptr<SQLite::Database> db_;
};

}  // namespace joseki::book
