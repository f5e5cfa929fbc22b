#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "book/database/migrations.h"

namespace joseki::book {

struct BackupOptions {
  int pages_at_once = 1024;
  // Between two lots of pages: `done` of `total` pages are copied. The place to wait, so that the
  // disk has time for others, and to show progress.
  std::function<void(uint64_t done, uint64_t total)> pause;
};

struct BackupReport {
  uint64_t bytes = 0;
  Sha256 sha256{};
  std::string epoch;
  uint64_t games = 0;
};

// Copies the book as it is at this moment to `out`, while a coordinator may go on writing to it:
// its write-ahead log grows until the copy is done. The copy is one file that needs no other,
// checked (integrity, references), synced and only then given its name; `out`.sha256 beside it
// names its hash as sha256sum does. AlreadyExists if there is an `out`: a backup is never written
// over.
absl::StatusOr<BackupReport> BackUp(const std::string& book, const std::string& out,
                                    const BackupOptions& options = {});

struct RestoreReport {
  std::string epoch;  // the new one
  std::string lost_epoch;
  uint64_t games = 0;
  std::string moved_aside;  // where the book went that had the name; empty if there was none
};

// Makes `book` what `from` is, under a new epoch: games that were played for a coordinator between
// backup and restore are of the old one, and Submit refuses them by name. Numbers of leases and
// sessions go on far behind those of the backup, so that none of the lost ones comes again. A book
// that has the name is moved aside, with its write-ahead log. FailedPrecondition
// "coordinator_running" or "database_in_use" while anybody has it open, "damaged_backup" where
// `from` is not whole or not what `from`.sha256, if it is there, says. `steps` as of Store::Open.
absl::StatusOr<RestoreReport> RestoreBackup(const std::string& from, const std::string& book,
                                            const BackupOptions& options = {},
                                            std::span<const Migration> steps = Migrations());

}  // namespace joseki::book
