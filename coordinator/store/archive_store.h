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

// A file of games beside the book, sealed: what it must hold stands in the book.
struct ArchiveRow {
  int64_t archive = 0;  // given by InsertArchive
  RunId run = 0;
  uint64_t first_seq = 0;
  uint64_t last_seq = 0;
  ArchiveTotals totals;
  std::string file;  // in the book's archive folder
  Sha256 sha256{};   // of the file
  uint64_t bytes = 0;
  bool dropped = false;  // its games stand in the file alone
};

// "BOOK.archives": where a book's archives stand, as long as any of them has the games alone.
std::string ArchiveFolder(const std::string& book);

// The tables `archives` and `archived_games`, over one connection. Thread rule: as the Store it
// stands on. Each verb that changes something is one transaction.
absl::Status InsertArchive(book::Store& store, const ArchiveRow& row);
// Of a run, by first_seq. The archives of a run follow each other without gaps among its games, and
// those that are dropped come first.
absl::StatusOr<std::vector<ArchiveRow>> ReadArchives(book::Store& store, RunId run);

// The games of an archive's file. NotFound "archive_missing" if there is no such file; DataLoss
// "bad_archive" where the file is not the one that was sealed.
absl::StatusOr<std::vector<GameRow>> ReadArchivedGames(const book::Store& store,
                                                       const ArchiveRow& row);

// As RunStore::ForEachGame, of the games that the database itself has. (That one reads those of
// dropped archives first, and fails as ReadArchivedGames does.)
absl::Status ForEachStoredGame(book::Store& store, RunId run, uint64_t after,
                               const std::function<absl::Status(const GameRow&)>& visit);

// Takes the archive's games out of the database, which keeps key, hashes and result of each: what
// tells a game that comes again, or is played again. FailedPrecondition "other_games" if the
// database has other games than `games`.
absl::Status DropGames(book::Store& store, const ArchiveRow& row,
                       const std::vector<GameRow>& games);
// The inverse.
absl::Status PutGamesBack(book::Store& store, const ArchiveRow& row,
                          const std::vector<GameRow>& games);

// Gives the room of rows that are gone back to the disk: needs as much room as the book has, once.
absl::Status Shrink(book::Store& store);

}  // namespace joseki::coordinator
