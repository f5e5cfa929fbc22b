#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "base/rng.h"
#include "tests/support/fault_control.h"

namespace joseki::testing {

// A storage layer for SQLite (a VFS over its own) that injects the faults of a FaultControl. It can
// be slow, full or broken, or kill the process in the middle of an operation. During its lifetime
// it is registered as the default, so all SQLite operations of the program pass through it.
//
// Power loss. A disk may lose unsynced writes. With `power_loss` the old content of every unsynced
// write is first recorded in a file beside it (FILE.undo), and removed by the sync. LosePower then
// gives the files a possible state after a power failure: synced writes are there, and of the
// others any subset of sectors. Whole files are never lost, and deleted files stay deleted: only
// contents are modelled.
class FaultVfs {
 public:
  struct Options {
    bool power_loss = false;
    // Whether syncs reach the disk. Otherwise they only take FaultControl::sync_us, which suffices
    // where only processes die.
    bool real_sync = true;
    // Pages of the write-ahead log between checkpoints, on connections set up for writing by a
    // PRAGMA; 0: SQLite's default.
    int wal_pages = 0;
    FaultInjector::Death death = FaultInjector::Death::kProcess;
    uint64_t seed = 1;  // of random failures
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

// Simulates a power failure: undoes a random part of the unsynced writes to a database, its
// write-ahead log and its rollback journal. REQUIRES: no process has it open.
absl::Status LosePower(const std::string& db_path, Rng& rng);

}  // namespace joseki::testing
