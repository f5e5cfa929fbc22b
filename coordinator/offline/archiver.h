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
  // A game as a record of the game's own kind, what such files end in (".csa") and what stands
  // between two games; null: none are written.
  std::function<absl::StatusOr<std::string>(const RunSpec& spec, const GameRow& game)> record;
  std::string record_suffix;
  std::string record_separator;
  // Called at every point where a process that is killed leaves another state of files and
  // database behind, for tests.
  std::function<void(std::string_view point)> at;
};

struct ArchiveReport {
  uint64_t archives = 0;  // made, dropped or put back
  uint64_t games = 0;
  uint64_t bytes = 0;  // of the files
};

// Every game that stands in no archive yet goes into one, in ArchiveFolder(book): JSON lines and a
// record file, compressed. Of a run that goes on only whole files are made. A file is written,
// synced, named, read back and compared before the book knows of it; a coordinator may be running.
absl::StatusOr<ArchiveReport> MakeArchives(book::Store& store, const Rules& rules,
                                           const ArchiveOptions& options);

// Takes the archived games of runs that are over out of the book, each archive by itself and only
// once its file gives the very games that the book has. FailedPrecondition "run_goes_on" for a run
// that was named and is not over, "no_checkpoint" where the evidence does not hold all its games
// yet (a coordinator writes it when it stops). REQUIRES: no coordinator has the book (FileLock).
absl::StatusOr<ArchiveReport> DropArchived(book::Store& store, const ArchiveOptions& options);

// The inverse, newest archive first.
absl::StatusOr<ArchiveReport> PutBackArchived(book::Store& store, const ArchiveOptions& options);

}  // namespace joseki::coordinator
