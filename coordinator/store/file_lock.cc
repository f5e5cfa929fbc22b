#include "coordinator/store/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/problem.h"

namespace joseki::coordinator {

absl::StatusOr<FileLock> FileLock::Take(const std::string& path) {
  const std::string name = absl::StrCat(path, ".lock");
  const int fd = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) {
    return MakeProblem({.code = "file_error",
                        .file = name,
                        .found = std::strerror(errno),
                        .expected = "a folder that can be written"},
                       absl::ErrnoToStatusCode(errno));
  }
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    const ssize_t read_bytes = pread(fd, holder, sizeof holder - 1, 0);
    close(fd);
    return MakeProblem({.code = "coordinator_running",
                        .file = path,
                        .found = absl::StrCat("a coordinator that has it open, process ",
                                              read_bytes > 0 ? std::string(holder) : "unknown"),
                        .expected = "one coordinator a database"},
                       absl::StatusCode::kFailedPrecondition);
  }
  const std::string process = absl::StrCat(getpid());
  // The number is for the message above only: that it could not be written harms nothing.
  if (ftruncate(fd, 0) == 0) {
    [[maybe_unused]] const ssize_t written = pwrite(fd, process.data(), process.size(), 0);
  }
  return FileLock(fd);
}

FileLock::~FileLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace joseki::coordinator
