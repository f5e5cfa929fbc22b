#include "book/database/wal_backfill.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "book/database/sql.h"

namespace joseki::book {

absl::StatusOr<std::unique_ptr<WalBackfill>> WalBackfill::Start(Store& writer) {
  ASSIGN_OR_RETURN(std::unique_ptr<Store> store, Store::Open(writer.path(), OpenMode::kReadWrite));
  return GuardSql(writer.path(), [&]() -> absl::StatusOr<std::unique_ptr<WalBackfill>> {
    const int pages = writer.db().execAndGet("PRAGMA wal_autocheckpoint").getInt();
    std::unique_ptr<WalBackfill> backfill(new WalBackfill(std::move(store), pages));
    sqlite3_wal_hook(writer.db().getHandle(), &WalBackfill::OnCommit, backfill.get());
    return backfill;
  });
}

WalBackfill::WalBackfill(std::unique_ptr<Store> store, int pages)
    : pages_(pages), restart_at_(pages * kRestartFactor), store_(std::move(store)) {
  thread_ = std::thread([this] { Run(); });
}

WalBackfill::~WalBackfill() {
  {
    const ScopedLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

int WalBackfill::OnCommit(void* self, sqlite3* db, const char* /*name*/, int log_pages) {
  static_cast<WalBackfill*>(self)->Committed(db, log_pages);
  return SQLITE_OK;
}

void WalBackfill::Committed(sqlite3* db, int log_pages) {
  int copied = 0;
  if (log_pages < pages_ * kRestartFactor) {
    restart_at_ = pages_ * kRestartFactor;
  } else if (log_pages >= restart_at_) {
    copied = Copy(db);
    // While a reader holds an old state, an immediate retry is useless.
    if (copied < log_pages) restart_at_ = log_pages + pages_;
  }
  const ScopedLock lock(mutex_);
  if (log_pages < log_pages_) copied_ = 0;  // the log restarted
  log_pages_ = log_pages;
  copied_ = std::max(copied_, copied);
  if (IsDue()) wake_.notify_one();
}

int WalBackfill::Copy(sqlite3* db) {
  const ScopedLock lock(copying_);
  int log_pages = 0;
  int copied = 0;
  const int result =
      sqlite3_wal_checkpoint_v2(db, nullptr, SQLITE_CHECKPOINT_PASSIVE, &log_pages, &copied);
  return result == SQLITE_OK ? copied : -1;
}

void WalBackfill::WaitUntilCopied() {
  const ScopedLock lock(mutex_);
  while (IsDue()) copied_enough_.wait(mutex_);
}

void WalBackfill::Run() {
  for (;;) {
    int had = 0;
    {
      const ScopedLock lock(mutex_);
      while (!stopping_ && !IsDue()) wake_.wait(mutex_);
      if (stopping_) return;
      had = log_pages_;
    }
    Copy(store_->db().getHandle());
    const ScopedLock lock(mutex_);
    // Whether or not the copy was complete, the next attempt comes pages_ later.
    if (log_pages_ >= had) copied_ = std::max(copied_, had);
    copied_enough_.notify_all();
  }
}

}  // namespace joseki::book
