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

// The table `played`: games of each source by position, in blocks. Everything here may throw
// SQLite's exceptions (GuardSql).

// The sources that have blocks, ascending.
std::vector<int64_t> PlayedSources(SQLite::Database& db, const std::string& schema = "main");

// The positions of one source, ascending.
class PlayedScan {
 public:
  PlayedScan(SQLite::Database& db, int64_t source, const std::string& schema = "main");

  // The next position comes into position(); false at the end.
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

// The positions of all sources, ascending; of one position the sources ascending.
class PlayedMerge {
 public:
  explicit PlayedMerge(SQLite::Database& db, const std::string& schema = "main");

  // The position that comes next; nullptr at the end or before Begin.
  const PackedPosition* front() const;
  absl::Status Begin();
  // Gives the front position of every source that has it, and goes on.
  absl::Status Take(const std::function<void(const PlayedScan&)>& each);

 private:
  std::vector<std::unique_ptr<PlayedScan>> scans_;
  std::vector<bool> more_;
  PackedPosition front_{};
  bool any_ = false;

  void FindFront();
};

// Looks single positions up. Fast where they are asked for in ascending order: what stands in a
// block is then read once. Blocks that change meanwhile may be seen as they were.
class PlayedLookup {
 public:
  explicit PlayedLookup(SQLite::Database& db, std::string schema = "main");

  // Looks into the blocks of one more source, too.
  void AddSource(int64_t source);
  bool empty() const { return sources_.empty(); }
  // Calls `each` for every source that has the position, ascending.
  using Each = std::function<void(int64_t source, bool professional, const PlayedPosition&)>;
  absl::Status Find(const PackedPosition& packed, const Each& each);

 private:
  // The block at hand of one source, and how far it has been read.
  struct Source {
    int64_t source = 0;
    bool loaded = false;
    PackedPosition first{};
    std::optional<PackedPosition> next;  // where the next block begins; nullopt: nowhere
    bool professional = false;
    std::string bytes;
    PlayedBlockReader reader;
    PlayedPosition at;  // the position read last
    bool any = false;   // there is one
    bool ended = false;
  };
  // Makes the block at hand the one that may hold the position; false if there is none.
  absl::StatusOr<bool> Load(Source& source, const PackedPosition& packed);

  SQLite::Database& db_;
  const std::string schema_;
  // Made when they are needed: most books of rows have no block.
  std::optional<SQLite::Statement> block_;
  std::optional<SQLite::Statement> next_;
  std::vector<std::unique_ptr<Source>> sources_;  // a reader refers to its bytes
};

void AddPlayedBlock(SQLite::Statement& add, int64_t source, bool professional,
                    const PlayedBlock& block);
inline constexpr char kAddPlayedBlock[] =
    "INSERT INTO played (source, professional, first, positions, moves, entries) "
    "VALUES (?, ?, ?, ?, ?, ?)";

// Lets `change` have every position of every source. It says whether it changed the position;
// without moves the position goes.
absl::Status RewritePlayed(
    SQLite::Database& db,
    const std::function<absl::StatusOr<bool>(int64_t source, bool professional, PlayedPosition&)>&
        change);

// Faults of the blocks, in words.
absl::Status CheckPlayed(SQLite::Database& db, std::vector<std::string>& problems);

}  // namespace joseki::book
