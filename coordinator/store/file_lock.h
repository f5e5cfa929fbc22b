#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace joseki::coordinator {

// The right to be the coordinator of a database: an exclusive flock(2) on `path`.lock, which the
// kernel gives back however its holder ends. The file stays and names the holder's process; only
// the lock on it counts. Programs that just use the database (import, export) do not ask for it.
class FileLock {
 public:
  // FailedPrecondition "coordinator_running" if another holds it, in this process or any other.
  static absl::StatusOr<FileLock> Take(const std::string& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  FileLock& operator=(FileLock&&) = delete;

 private:
  explicit FileLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace joseki::coordinator
