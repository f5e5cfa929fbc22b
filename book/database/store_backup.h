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
  // Called between batches of pages, with `done` of `total` pages copied. A place to show progress
  // and to wait, so that others can use the disk.
  std::function<void(uint64_t done, uint64_t total)> pause;
};

struct BackupReport {
  uint64_t bytes = 0;
  Sha256 sha256{};
  std::string epoch;
  uint64_t games = 0;
};

// Copies the book as of this moment to `out`, while a coordinator may go on writing; its
// write-ahead log grows until the copy is done. The copy is one self-contained file. It is checked
// (integrity, references) and synced before it gets its name. `out`.sha256 beside it holds its hash
// in the form of sha256sum. AlreadyExists if `out` exists: a backup is never overwritten.
absl::StatusOr<BackupReport> BackUp(const std::string& book, const std::string& out,
                                    const BackupOptions& options = {});

struct RestoreReport {
  std::string epoch;  // the new one
  std::string lost_epoch;
  uint64_t games = 0;
  std::string moved_aside;  // new path of the book that had the name; empty if there was none
};

// Makes `book` a copy of `from` under a new epoch. Submit refuses, by name, games played for a
// coordinator between backup and restore, since they carry the old epoch. Numbers of leases and
// sessions continue after a large gap, so that no lost number is reused. An existing book of that
// name is moved aside with its write-ahead log. FailedPrecondition "coordinator_running" or
// "database_in_use" while any process has it open; "damaged_backup" if `from` is damaged or does
// not match an existing `from`.sha256. `steps` as in Store::Open.
absl::StatusOr<RestoreReport> RestoreBackup(const std::string& from, const std::string& book,
                                            const BackupOptions& options = {},
                                            std::span<const Migration> steps = Migrations());

}  // namespace joseki::book
