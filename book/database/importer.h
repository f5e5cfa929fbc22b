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
  bool writing = false;  // false: files are being read
  uint64_t done = 0;     // bytes read, or positions written
  uint64_t total = 0;
  int64_t games = 0;
  int64_t rejected = 0;
};

struct ImportOptions {
  ImportFormat from;
  int plies = 45;                           // of each game
  std::optional<book::NoiseFilter> filter;  // applied to games, never to books
  book::GameFilter games;                   // games that do not match are skipped and counted
  bool professional = false;                // whether the games' players are professionals
  // Imports the moves of variations in records, like those of a book with a count of 1.
  bool variations = false;
  bool evaluations = false;  // imports engines' evaluations in comments, like values of a book
  // Contents of the files imported before (BookStore::ImportedFiles). These files are skipped, as
  // are files that come twice.
  absl::flat_hash_set<Sha256> imported;
  int threads = 0;  // threads that read files; 0: one per processor. The book does not depend on it
  // Input is spilled to unnamed files in `spill_folder` beyond about this many bytes of memory. The
  // book does not depend on it.
  size_t memory = size_t{1} << 30;
  std::string spill_folder = {};  // empty: the system's temporary folder
  bool again = false;             // imports every file, even one that was imported before
  // Called for each rejected game, position or move; the problem's code is the reason.
  std::function<void(const absl::Status&)> on_reject;
  std::function<void(const ImportProgress&)> on_progress;
};

struct ImportReport {
  int64_t games = 0;           // read completely
  int64_t book_positions = 0;  // read from books
  int64_t files_known = 0;     // files skipped because they were imported before
  int64_t filtered = 0;        // games skipped by ImportOptions::games
  int64_t rejected = 0;        // games, positions and moves of books, and files of unknown format
  int64_t positions = 0;       // that the book did not have before
  int64_t moves = 0;           // that the book did not have before
  std::map<std::string, int64_t> rejects_by_reason;
  std::vector<absl::Status> first_problems;  // at most 100

  bool anything() const { return games > 0 || book_positions > 0; }
  // Adds the counts of another import.
  void Add(const ImportReport& other);
};

// The files under `paths`. Folders are listed recursively in name order, without hidden entries;
// "-" is kept. NotFound for a path that does not exist.
absl::StatusOr<std::vector<std::string>> ListImportFiles(const std::vector<std::string>& paths);

// Imports game records and books of every format that is read (import_format.h). All moves are
// replayed by the rules while reading; the database is then written in one transaction. Broken
// input is rejected with file, line and reason; the rest is imported. Not thread-safe.
class Importer {
 public:
  Importer(const Rules& rules, ImportOptions options);

  // Reads a file's content, or that of each file in it if it is a bundle (bundle.h). `name` serves
  // messages.
  void AddBytes(std::string_view name, std::string_view bytes);
  // Reads files. A file that cannot be read fails the whole import.
  absl::Status AddFiles(const std::vector<std::string>& files);

  // Counts of the input so far, but for `positions` and `moves`, which Commit counts.
  const ImportReport& report() const { return report_; }

  // Writes the content read so far as one source called `name`; writes nothing if there is none.
  absl::StatusOr<ImportReport> Commit(Store& store, const std::string& name);

 private:
  void Reject(const absl::Status& problem, std::string_view file);
  // Consumes the readers' events, in the order of the files.
  void Take(ImportEvent event);
  void TakeFile(const FileBegins& file);
  void TakeGame(const book::GameRecord& game);
  // Counts what a record appended to book_, and rejects `appended` if it is an error.
  void Extra(const absl::Status& appended, int line);
  // Records that the current file contributed to the book.
  void Counted();
  // Reports progress; `line` is the line that the current part has been read to.
  void Progress(int line);
  // Spills book_ if it exceeds its share of memory.
  void SpillIfLarge();
  absl::Status WriteGames(BookImport& import, ImportProgress& progress);
  absl::Status WriteBook(BookImport& import, ImportProgress& progress);
  std::string OptionsJson() const;

  const Rules& rules_;
  const ImportOptions options_;
  const ReadOptions reading_;
  PlayedChunks played_;
  std::vector<book::DbPosition> book_;
  size_t counted_ = 0;     // entries of book_ that the report counts already
  size_t book_bytes_ = 0;  // approximate size of book_, bytes
  BookSpill book_spill_;
  absl::Status spilled_;       // the first error of a spill
  std::vector<Sha256> files_;  // files that contributed games or positions
  absl::flat_hash_set<Sha256> seen_;
  ImportReport report_;
  FileBegins file_;            // the current file or part
  Sha256 content_{};           // of the current file
  bool known_ = false;         // the current file was imported before and is skipped
  bool unwanted_ = false;      // the last game was filtered out; its variations are skipped too
  bool counted_file_ = false;  // the current file is in files_
  uint64_t bytes_before_ = 0;  // size of the files and parts before the current one
  uint64_t bytes_total_ = 0;
};

}  // namespace joseki::book
