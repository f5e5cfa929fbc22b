#include "cli/experiment/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "absl/status/status.h"
#include "base/problem.h"

namespace joseki::cli {

absl::StatusOr<FolderLock> FolderLock::Take(const std::string& folder) {
  const std::string name = folder + "/experiment.lock";
  const int fd = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return FileProblem(errno, name, "a folder that can be written");
  FolderLock lock(fd);
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return FileProblem(errno, name, "a file that can be locked");
  return MakeProblem({.code = "experiment_running",
                      .file = folder,
                      .found = "another command that makes books or plays games there",
                      .expected = "its end, or --show, which only reads"},
                     absl::StatusCode::kFailedPrecondition);
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace joseki::cli
