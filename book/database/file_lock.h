#pragma once

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace joseki::book {

// The right to be the coordinator of a database: an exclusive flock(2) on `path`.lock, where `path`
// is the file's canonical name. The kernel releases the lock however its holder ends. The lock file
// stays behind and names the holder's process and, where it serves one, its page; only the lock
// counts. Programs that only use the database (import, export) do not take this lock.
//
// The database file itself is not locked, because closing any descriptor on it would drop SQLite's
// own locks.
class FileLock {
 public:
  // FailedPrecondition "coordinator_running" if another holder exists in this or any other process.
  // FailedPrecondition "hard_links" if the file has several names, since each would have a lock of
  // its own. `page` is the address of the holder's page, for the first error; empty: it has none.
  static absl::StatusOr<FileLock> Take(const std::string& path, const std::string& page = {});
  // The same for a holder that only reads. Where no lock file may be written, it locks the one that
  // is there; without one no coordinator can be here, and the lock is of nothing.
  static absl::StatusOr<FileLock> TakeToLook(const std::string& path, const std::string& page);
  ~FileLock();
  FileLock(FileLock&& other) noexcept
      : name_(std::move(other.name_)), page_(std::move(other.page_)), fd_(other.fd_) {
    other.fd_ = -1;
  }
  FileLock& operator=(FileLock&&) = delete;

  // Recreates the lock file if it was deleted; call periodically, but not after TakeToLook. An
  // error if another process took the new lock first: the database is then no longer exclusively
  // ours.
  absl::Status Keep();

 private:
  FileLock(std::string name, std::string page, int fd)
      : name_(std::move(name)), page_(std::move(page)), fd_(fd) {}

  std::string name_;  // of the lock file
  std::string page_;
  int fd_;
};

}  // namespace joseki::book
