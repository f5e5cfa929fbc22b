#pragma once

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace joseki::book {

// The right to be the coordinator of a database: an exclusive flock(2) on `path`.lock, where `path`
// is the file's own name, whatever links lead to it. The kernel gives it back however its holder
// ends. The lock file stays and names the holder's process, and its page where it serves one; only
// the lock on it counts. Programs that just use the database (import, export) do not ask for it.
//
// The database itself is not locked: closing any handle on it would take SQLite's own locks away.
class FileLock {
 public:
  // FailedPrecondition "coordinator_running" if another holds it, in this process or any other;
  // "hard_links" for a file that has several names, of which each would have a lock of its own.
  // `page` is where browsers see the holder at work, for that error; empty: nowhere.
  static absl::StatusOr<FileLock> Take(const std::string& path, const std::string& page = {});
  ~FileLock();
  FileLock(FileLock&& other) noexcept
      : name_(std::move(other.name_)), page_(std::move(other.page_)), fd_(other.fd_) {
    other.fd_ = -1;
  }
  FileLock& operator=(FileLock&&) = delete;

  // Call now and then: makes the lock file again if it was deleted. An error if another holder was
  // faster; the lock is then no longer ours alone.
  absl::Status Keep();

 private:
  FileLock(std::string name, std::string page, int fd)
      : name_(std::move(name)), page_(std::move(page)), fd_(fd) {}

  std::string name_;  // of the lock file
  std::string page_;
  int fd_;
};

}  // namespace joseki::book
