#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/store/archive_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

struct ArchiveOptions {
  RunId run = 0;  // 0: every run
  uint64_t games_per_file = 20'000;
  // Makes a game's record in the usual format of its game; null: no records are written. Suffix
  // (".csa") and separator are those of files of such records.
  std::function<absl::StatusOr<std::string>(const RunSpec& spec, const GameRow& game)> record;
  std::string record_suffix;
  std::string record_separator;
  // For tests: called at every point where a kill would leave another state of files and database.
  std::function<void(std::string_view point)> at;
};

struct ArchiveReport {
  uint64_t archives = 0;  // made, dropped or put back
  uint64_t games = 0;
  uint64_t bytes = 0;  // of the files
};

// Archives every game that is in no archive yet, in ArchiveFolder(book): JSON lines and a record
// file, compressed. An active run gets only full files. A file is written, synced, named, read back
// and compared before the book lists it; a coordinator may be running.
absl::StatusOr<ArchiveReport> MakeArchives(book::Store& store, const Rules& rules,
                                           const ArchiveOptions& options);

// Deletes the archived games of finished runs from the book. Each archive is handled by itself, and
// only once its file yields exactly the book's games. FailedPrecondition "run_goes_on" for a named
// run that is active, "no_checkpoint" if the checkpoint lacks some of its games (a coordinator
// writes it when it stops). REQUIRES: no coordinator holds the book (FileLock).
absl::StatusOr<ArchiveReport> DropArchived(book::Store& store, const ArchiveOptions& options);

// Undoes DropArchived, newest archive first.
absl::StatusOr<ArchiveReport> PutBackArchived(book::Store& store, const ArchiveOptions& options);

}  // namespace joseki::coordinator
