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
#include "book/formats/book_file.h"
#include "book/formats/position.h"
#include "book/weighing.h"
#include "coordinator/offline/played_moves.h"
#include "coordinator/store/store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// What a file to import holds.
enum class ImportFormat { kByContent, kCsa, kKif, kUsi, kYaneuraouDb, kYbb, kApery };

// "auto", "csa", "kif", "usi", "yaneuraou-db", "ybb", "apery"; nullopt for another word.
std::optional<ImportFormat> ImportFormatOf(std::string_view name);

struct ImportProgress {
  bool writing = false;  // false: reading files
  uint64_t done = 0;     // bytes read, or positions written
  uint64_t total = 0;
  int64_t games = 0;
  int64_t rejected = 0;
};

struct ImportOptions {
  ImportFormat from = ImportFormat::kByContent;
  int plies = 45;                           // of each game
  std::optional<book::NoiseFilter> filter;  // on games, never on books
  bool professional = false;                // the games' players
  // Files that the book is made of already, by content (BookStore::ImportedFiles): they are left
  // out, as are files that come twice.
  absl::flat_hash_set<Sha256> imported;
  bool again = false;  // counts every file, whatever was imported before
  // Called for each game, position or move that is left out, with a problem whose code is the
  // reason.
  std::function<void(const absl::Status&)> on_reject;
  std::function<void(const ImportProgress&)> on_progress;
};

struct ImportReport {
  int64_t games = 0;           // read whole
  int64_t book_positions = 0;  // read from books
  int64_t files_known = 0;     // left out, for the book is made of them already
  int64_t rejected = 0;        // games, positions and moves of books, and files of no known format
  int64_t positions = 0;       // new in the book
  int64_t moves = 0;           // new in the book
  std::map<std::string, int64_t> rejects_by_reason;
  std::vector<absl::Status> first_problems;  // the first hundred

  bool anything() const { return games > 0 || book_positions > 0; }
};

// The files under `paths`, folders taken apart recursively in name order, hidden ones left out.
// NotFound for a path that is not there.
absl::StatusOr<std::vector<std::string>> ListImportFiles(const std::vector<std::string>& paths);

// One import: game records (CSA, KIF, USI) and books (YANEURAOU-DB2016, .ybb, Apery), read and
// replayed by the rules into memory, then put into the database in one transaction. What is broken
// is rejected with file, line and reason; the rest is imported. Not thread-safe.
class Importer {
 public:
  Importer(const Rules& rules, ImportOptions options);

  // Reads a file's content; `name` is for messages.
  void AddBytes(std::string_view name, std::string_view bytes);
  // Reads files. A file that cannot be read fails the import as a whole.
  absl::Status AddFiles(const std::vector<std::string>& files);

  // What has been read so far. `positions` and `moves` are counted by Commit.
  const ImportReport& report() const { return report_; }

  // Writes what was read, as one source called `name`. Writes nothing if there is nothing.
  absl::StatusOr<ImportReport> Commit(Store& store, const std::string& name);

 private:
  void Reject(const absl::Status& problem, std::string_view file);
  void AddRecords(std::string_view name, std::string_view bytes);
  void AddBook(book::BookFormat format, std::string_view name, std::string_view bytes);
  void Progress(uint64_t done_in_file);
  absl::Status WriteGames(BookImport& import, ImportProgress& progress);
  std::string OptionsJson() const;

  const Rules& rules_;
  const ImportOptions options_;
  PlayedMoves played_;
  std::vector<book::DbPosition> book_;
  std::vector<Sha256> files_;  // those that games or positions came from
  absl::flat_hash_set<Sha256> seen_;
  ImportReport report_;
  uint64_t bytes_before_ = 0;  // of the files before this one
  uint64_t bytes_total_ = 0;
};

}  // namespace joseki::coordinator
