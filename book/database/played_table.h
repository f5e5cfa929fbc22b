#pragma once

#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/played_block.h"
#include "book/database/sql.h"

namespace SQLite {
class Database;
}

namespace joseki::book {

// The table `played`: the games of each source by position, in blocks. All functions here may throw
// SQLite's exceptions (GuardSql).

// The sources that have blocks, ascending.
std::vector<int64_t> PlayedSources(SQLite::Database& db, const std::string& schema = "main");

// Reads the positions of one source, ascending.
class PlayedScan {
 public:
  PlayedScan(SQLite::Database& db, int64_t source, const std::string& schema = "main");

  // Moves to the next position(); false at the end.
  absl::StatusOr<bool> Next();
  const PlayedPosition& position() const { return position_; }
  int64_t source() const { return source_; }
  bool professional() const { return professional_; }

 private:
  const int64_t source_;
  SQLite::Statement blocks_;
  std::string bytes_;
  PlayedBlockReader reader_;
  PlayedPosition position_;
  bool professional_ = false;
};

// Reads the positions of all sources, ascending, and of each position the sources ascending.
class PlayedMerge {
 public:
  explicit PlayedMerge(SQLite::Database& db, const std::string& schema = "main");

  // The next position; nullptr at the end and before Begin.
  const PackedPosition* front() const;
  absl::Status Begin();
  // Visits the front position in every source that has it, then advances.
  absl::Status Take(const std::function<void(const PlayedScan&)>& each);

 private:
  std::vector<std::unique_ptr<PlayedScan>> scans_;
  std::vector<bool> more_;
  PackedPosition front_{};
  bool any_ = false;

  void FindFront();
};

// Looks up single positions. Fast if queries ascend, because a block is then decoded once. Changes
// to blocks in the meantime may be missed.
class PlayedLookup {
 public:
  explicit PlayedLookup(SQLite::Database& db, std::string schema = "main");

  // Includes the blocks of one more source.
  void AddSource(int64_t source);
  bool empty() const { return sources_.empty(); }
  // Calls `each` for every source that has the position, ascending.
  using Each = std::function<void(int64_t source, bool professional, const PlayedPosition&)>;
  absl::Status Find(const PackedPosition& packed, const Each& each);

 private:
  // The current block of one source, and how far it has been read.
  struct Source {
    int64_t source = 0;
    bool loaded = false;
    PackedPosition first{};
    std::optional<PackedPosition> next;  // first position of the next block; nullopt: last block
    bool professional = false;
    std::string bytes;
    PlayedBlockReader reader;
    PlayedPosition at;  // the position read last
    bool any = false;   // whether `at` is set
    bool ended = false;
  };
  // Loads the block that may hold the position; false if there is none.
  absl::StatusOr<bool> Load(Source& source, const PackedPosition& packed);

  SQLite::Database& db_;
  const std::string schema_;
  // Prepared on first use: most books made of rows have no block.
  std::optional<SQLite::Statement> block_;
  std::optional<SQLite::Statement> next_;
  // Pointers, because a reader refers to its source's bytes.
  std::vector<std::unique_ptr<Source>> sources_;
};

void AddPlayedBlock(SQLite::Statement& add, int64_t source, bool professional,
                    const PlayedBlock& block);
inline constexpr char kAddPlayedBlock[] =
    "INSERT INTO played (source, professional, first, positions, moves, entries) "
    "VALUES (?, ?, ?, ?, ?, ?)";

// Calls `change` for every position of every source. `change` returns whether it changed the
// position; a position left without moves is deleted.
absl::Status RewritePlayed(
    SQLite::Database& db,
    const std::function<absl::StatusOr<bool>(int64_t source, bool professional, PlayedPosition&)>&
        change);

// Appends faults of the blocks to `problems`, in words.
absl::Status CheckPlayed(SQLite::Database& db, std::vector<std::string>& problems);

}  // namespace joseki::book
