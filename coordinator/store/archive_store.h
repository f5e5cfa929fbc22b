#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "book/database/store.h"
#include "coordinator/store/archive_file.h"

namespace joseki::coordinator {

// A sealed file of games beside the book; the book stores what the file must hold.
struct ArchiveRow {
  int64_t archive = 0;  // assigned by InsertArchive
  RunId run = 0;
  uint64_t first_seq = 0;
  uint64_t last_seq = 0;
  ArchiveTotals totals;
  std::string file;  // name within the book's archive folder
  Sha256 sha256{};   // of the file
  uint64_t bytes = 0;
  bool dropped = false;  // whether its games are in the file alone
};

// The folder of a book's archives, "BOOK.archives". Keep the folder as long as an archive there is
// the only place of its games.
std::string ArchiveFolder(const std::string& book);

// The tables `archives` and `archived_games`, over one connection. Thread rule: as the Store that
// is passed in. Each verb that changes data is one transaction.
absl::Status InsertArchive(book::Store& store, const ArchiveRow& row);
// The archives of a run, by first_seq. They cover the run's first games without gaps, and dropped
// ones come first.
absl::StatusOr<std::vector<ArchiveRow>> ReadArchives(book::Store& store, RunId run);

// The number of games that are in archives alone, of all runs.
absl::StatusOr<uint64_t> CountDropped(book::Store& store);

// Reads the games of an archive's file. NotFound "archive_missing" if there is no such file;
// DataLoss "bad_archive" if the file is not the sealed one.
absl::StatusOr<std::vector<GameRow>> ReadArchivedGames(const book::Store& store,
                                                       const ArchiveRow& row);

// Deletes the archive's games from the database, except for each game's key, hashes and result,
// which identify a repeated game or a copy. FailedPrecondition "other_games" if the database's
// games differ from `games`.
absl::Status DropGames(book::Store& store, const ArchiveRow& row,
                       const std::vector<GameRow>& games);
// Undoes DropGames.
absl::Status PutGamesBack(book::Store& store, const ArchiveRow& row,
                          const std::vector<GameRow>& games);

// Returns the space of deleted rows to the disk; temporarily needs as much space as the book has.
absl::Status Shrink(book::Store& store);

}  // namespace joseki::coordinator
