#pragma once

#include <condition_variable>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "book/database/store.h"

struct sqlite3;

namespace joseki::book {

// Copies committed pages from the write-ahead log into the database file, on a thread and
// connection of its own. Commits then need not wait for these writes and syncs. SQLite itself does
// so within every commit that finds the log longer than its `wal_autocheckpoint`. Here the thread
// starts at that length, while further commits go on.
//
// A log restarts from its beginning only if all of it is copied at the time of a commit. That never
// happens while commits follow each other closely. A commit that finds the log kRestartFactor times
// as long therefore copies the small rest itself.
class WalBackfill {
 public:
  static constexpr int kRestartFactor = 8;

  // Takes over from SQLite for the connection of `writer`, on which one thread at a time may
  // commit. REQUIRES: the connection's wal_autocheckpoint is above 0; its last commit has returned
  // before this object is destroyed.
  static absl::StatusOr<std::unique_ptr<WalBackfill>> Start(Store& writer);
  ~WalBackfill();
  WalBackfill(const WalBackfill&) = delete;
  WalBackfill& operator=(const WalBackfill&) = delete;

  // Waits until the thread has copied, or tried to copy, all but less than wal_autocheckpoint
  // pages.
  void WaitUntilCopied();

 private:
  WalBackfill(std::unique_ptr<Store> store, int pages);

  // SQLite's hook, called on the writer's thread after each commit.
  static int OnCommit(void* self, sqlite3* db, const char* name, int log_pages);
  void Committed(sqlite3* db, int log_pages);
  void Run();
  // Whether there is as much to copy as starts the thread.
  bool IsDue() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return log_pages_ - copied_ >= pages_;
  }

  // Copies pages; returns the number of pages of the log copied so far. Returns -1 if the storage
  // fails, which the next commit will report. Waits while the other thread is in Copy.
  int Copy(sqlite3* db);

  // Constant after construction.
  const int pages_;

  Mutex copying_;  // SQLite lets one thread copy and refuses a second

  // Used by the writer's thread only.
  int restart_at_;

  const std::unique_ptr<Store> store_;  // used by this object's thread only

  Mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable_any copied_enough_;
  int log_pages_ ABSL_GUARDED_BY(mutex_) = 0;  // length after the last commit
  int copied_ ABSL_GUARDED_BY(mutex_) = 0;     // pages copied, or attempted
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace joseki::book
