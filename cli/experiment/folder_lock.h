#pragma once

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace joseki::cli {

// The right to make books and play games in an experiment's folder: an exclusive flock(2) on its
// experiment.lock. Two commands would take each other's unfinished files for leftovers. The kernel
// releases the lock however its holder ends; the file stays behind and says nothing.
class FolderLock {
 public:
  // FailedPrecondition "experiment_running" if another holder exists.
  static absl::StatusOr<FolderLock> Take(const std::string& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  explicit FolderLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace joseki::cli
