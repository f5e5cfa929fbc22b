#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "base/rng.h"
#include "tests/support/fault_control.h"

namespace joseki::testing {

// A storage layer for SQLite (a VFS over its own) that can be slow, full, broken, or end the
// process in the middle of an operation, as a FaultControl says. Everything that a program does
// with SQLite goes through it while it lives, since it is registered as the default.
//
// Power loss. A disk may lose what was written and not synced. With `power_loss`, what stood in the
// place of every unsynced write is noted first in a file beside it (FILE.undo), and struck out by
// the sync; LosePower then makes the files what they could be after the power went: synced writes
// are there, of the others any subset of sectors. Whole files are never lost, and a file that was
// deleted stays so: the model is of contents.
class FaultVfs {
 public:
  struct Options {
    bool power_loss = false;
    // Syncs go to the disk. Without, they cost nothing but FaultControl::sync_us: enough where
    // only processes die.
    bool real_sync = true;
    // A checkpoint after so many pages of the write-ahead log, on connections that are set up for
    // writing by a PRAGMA; 0: as SQLite does.
    int wal_pages = 0;
    FaultInjector::Death death = FaultInjector::Death::kProcess;
    uint64_t seed = 1;  // of failures by chance
  };
  // REQUIRES: no connection is open; at most one such object at a time.
  FaultVfs(FaultControl& control, Options options);
  // REQUIRES: no connection is open.
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The power goes: undoes a random part of what was not synced in a database, its write-ahead log
// and its rollback journal. REQUIRES: no process has it open.
absl::Status LosePower(const std::string& db_path, Rng& rng);

}  // namespace joseki::testing
