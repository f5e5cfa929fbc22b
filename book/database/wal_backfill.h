#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"

struct sqlite3;

namespace joseki::book {

// Copies what commits have appended to the write-ahead log into the database file, on a thread and
// a connection of its own, so that commits do not wait for these writes and syncs. SQLite itself
// does so within every commit that finds the log longer than its `wal_autocheckpoint`; here the
// thread copies from that length on, beside further commits.
//
// A log restarts from its beginning only if all of it is copied at the time of a commit, which
// never happens while commits follow each other closely. A commit that finds the log kRestartFactor
// times as long therefore copies the small rest itself.
class WalBackfill {
 public:
  static constexpr int kRestartFactor = 8;

  // Takes over from SQLite for the connection of `writer`, on which one thread at a time may
  // commit. REQUIRES: the connection's wal_autocheckpoint is above 0; its last commit is over when
  // the object goes.
  static absl::StatusOr<std::unique_ptr<WalBackfill>> Start(Store& writer);
  ~WalBackfill();
  WalBackfill(const WalBackfill&) = delete;
  WalBackfill& operator=(const WalBackfill&) = delete;

  // Waits until the thread has nothing to do: it has copied, or tried to, all but less than a
  // wal_autocheckpoint of pages.
  void WaitUntilCopied();

 private:
  WalBackfill(std::unique_ptr<Store> store, int pages);

  // SQLite's hook, on the writer's thread after each commit.
  static int OnCommit(void* self, sqlite3* db, const char* name, int log_pages);
  void Committed(sqlite3* db, int log_pages);
  void Run();

  // Returns the number of pages of the log that are copied then; -1 if nothing could be done: the
  // storage fails, which the next commit will meet by itself. Waits for the other thread's Copy.
  int Copy(sqlite3* db);

  // Constant after construction.
  const int pages_;

  std::mutex copying_;  // SQLite lets one copy, and refuses another

  // State of the writer's thread.
  int restart_at_;

  const std::unique_ptr<Store> store_;  // of this object's thread

  std::mutex mutex_;
  std::condition_variable wake_;
  // Guarded by mutex_.
  int log_pages_ = 0;  // after the last commit
  int copied_ = 0;     // of them, or tried to
  bool stopping_ = false;
  std::condition_variable copied_enough_;

  std::thread thread_;
};

}  // namespace joseki::book
