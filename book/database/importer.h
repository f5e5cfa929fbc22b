#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "book/database/book_import.h"
#include "book/database/book_store.h"
#include "book/database/import_events.h"
#include "book/database/import_format.h"
#include "book/database/played_chunks.h"
#include "book/database/spill.h"
#include "book/database/store.h"
#include "book/formats/position.h"
#include "book/records/game_filter.h"
#include "book/weighing.h"
#include "engine/core/rules.h"

namespace joseki::book {

struct ImportProgress {
  bool writing = false;  // false: reading files
  uint64_t done = 0;     // bytes read, or positions written
  uint64_t total = 0;
  int64_t games = 0;
  int64_t rejected = 0;
};

struct ImportOptions {
  ImportFormat from;
  int plies = 45;                           // of each game
  std::optional<book::NoiseFilter> filter;  // on games, never on books
  book::GameFilter games;                   // the others are left out and counted
  bool professional = false;                // the games' players
  bool variations = false;   // of records: takes their moves in, as a book's with a count of 1
  bool evaluations = false;  // takes engines' evaluations in comments in, as values of a book
  // Files that the book is made of already, by content (BookStore::ImportedFiles): they are left
  // out, as are files that come twice.
  absl::flat_hash_set<Sha256> imported;
  int threads = 0;  // that read files; 0: as many as there are processors. The book is the same
  // Input goes to unnamed files in `spill_folder` whenever it takes about this much memory. The
  // book is the same.
  size_t memory = size_t{1} << 30;
  std::string spill_folder = {};  // empty: the system's folder for such files
  bool again = false;             // counts every file, whatever was imported before
  // Called for each game, position or move that is left out, with a problem whose code is the
  // reason.
  std::function<void(const absl::Status&)> on_reject;
  std::function<void(const ImportProgress&)> on_progress;
};

struct ImportReport {
  int64_t games = 0;           // read whole
  int64_t book_positions = 0;  // read from books
  int64_t files_known = 0;     // left out, for the book is made of them already
  int64_t filtered = 0;        // games left out by ImportOptions::games
  int64_t rejected = 0;        // games, positions and moves of books, and files of no known format
  int64_t positions = 0;       // new in the book
  int64_t moves = 0;           // new in the book
  std::map<std::string, int64_t> rejects_by_reason;
  std::vector<absl::Status> first_problems;  // the first hundred

  bool anything() const { return games > 0 || book_positions > 0; }
  // Adds what another import did.
  void Add(const ImportReport& other);
};

// The files under `paths`, folders taken apart recursively in name order, hidden ones left out; "-"
// stays as it is.
// NotFound for a path that is not there.
absl::StatusOr<std::vector<std::string>> ListImportFiles(const std::vector<std::string>& paths);

// One import: game records (CSA, KIF, KI2, JKF, USI) and books (YANEURAOU-DB2016, .ybb, Apery,
// Gikou, .sbk), read and replayed by the rules into memory, then put into the database in one
// transaction. Broken input is rejected with file, line and reason; the rest is imported. Not
// thread-safe.
class Importer {
 public:
  Importer(const Rules& rules, ImportOptions options);

  // Reads a file's content, or that of each file in it if it is a bundle (bundle.h); `name` is
  // for messages.
  void AddBytes(std::string_view name, std::string_view bytes);
  // Reads files. A file that cannot be read fails the import as a whole.
  absl::Status AddFiles(const std::vector<std::string>& files);

  // Counts of the input so far. `positions` and `moves` are counted by Commit.
  const ImportReport& report() const { return report_; }

  // Writes what was read, as one source called `name`. Writes nothing if there is nothing.
  absl::StatusOr<ImportReport> Commit(Store& store, const std::string& name);

 private:
  void Reject(const absl::Status& problem, std::string_view file);
  // Takes in what the readers give, in the order of the files.
  void Take(ImportEvent event);
  void TakeFile(const FileBegins& file);
  void TakeGame(const book::GameRecord& game);
  // Counts what a record added to book_, and reports its problems.
  void Extra(const absl::Status& appended, int line);
  // The file at hand gave something.
  void Counted();
  // `line` is how far the part at hand is read.
  void Progress(int line);
  // Makes room where what was read takes too much memory.
  void SpillIfLarge();
  absl::Status WriteGames(BookImport& import, ImportProgress& progress);
  absl::Status WriteBook(BookImport& import, ImportProgress& progress);
  std::string OptionsJson() const;

  const Rules& rules_;
  const ImportOptions options_;
  const ReadOptions reading_;
  PlayedChunks played_;
  std::vector<book::DbPosition> book_;
  size_t counted_ = 0;     // of book_, in report_
  size_t book_bytes_ = 0;  // of book_, about
  BookSpill book_spill_;
  absl::Status spilled_;       // the first error of a spill
  std::vector<Sha256> files_;  // those that games or positions came from
  absl::flat_hash_set<Sha256> seen_;
  ImportReport report_;
  FileBegins file_;            // the one at hand, or its part
  Sha256 content_{};           // of the file at hand
  bool known_ = false;         // it is left out
  bool unwanted_ = false;      // the game that was last read: its variations are left out with it
  bool counted_file_ = false;  // it is in files_
  uint64_t bytes_before_ = 0;  // of the files and parts before this one
  uint64_t bytes_total_ = 0;
};

}  // namespace joseki::book
