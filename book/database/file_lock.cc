#include "book/database/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::book {
namespace {

// The file's canonical absolute name, without symbolic links. The file need not exist.
absl::StatusOr<std::string> OwnName(const std::string& path) {
  std::error_code error;
  const std::filesystem::path name =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  if (error) return FileProblem(error.value(), path, "a folder that can be written");
  struct stat file {};
  if (stat(name.c_str(), &file) == 0 && S_ISREG(file.st_mode) && file.st_nlink > 1) {
    return MakeProblem({.code = "hard_links",
                        .file = path,
                        .found = absl::StrCat("a file with ", file.st_nlink, " names"),
                        .expected = "one with a single name: remove the others (symbolic links "
                                    "may stay)"},
                       absl::StatusCode::kFailedPrecondition);
  }
  return name.string();
}

// Locks the open lock file and returns it; closes it otherwise. Errors name `path`.
absl::StatusOr<int> Lock(int fd, const std::string& path, const std::string& page) {
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    char holder[256] = {};
    const ssize_t read_bytes = pread(fd, holder, sizeof holder - 1, 0);
    close(fd);
    return MakeProblem({.code = "coordinator_running",
                        .file = path,
                        .found = absl::StrCat("a coordinator that has it open, process ",
                                              read_bytes > 0 ? std::string(holder) : "unknown"),
                        .expected = "one coordinator a database"},
                       absl::StatusCode::kFailedPrecondition);
  }
  const std::string holder = absl::StrCat(getpid(), page.empty() ? "" : ", whose page is ", page);
  // The holder's process serves the error message above only; failure to write it is harmless.
  if (ftruncate(fd, 0) == 0) {
    [[maybe_unused]] const ssize_t written = pwrite(fd, holder.data(), holder.size(), 0);
  }
  return fd;
}

// Opens and locks the lock file `name`; returns the descriptor. Errors name `path`.
absl::StatusOr<int> Lock(const std::string& name, const std::string& path,
                         const std::string& page) {
  const int fd = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return FileProblem(errno, name, "a folder that can be written");
  return Lock(fd, path, page);
}

}  // namespace

absl::StatusOr<FileLock> FileLock::Take(const std::string& path, const std::string& page) {
  ASSIGN_OR_RETURN(const std::string own, OwnName(path));
  const std::string name = own + ".lock";
  ASSIGN_OR_RETURN(const int fd, Lock(name, path, page));
  return FileLock(name, page, fd);
}

absl::StatusOr<FileLock> FileLock::TakeToLook(const std::string& path, const std::string& page) {
  ASSIGN_OR_RETURN(const std::string own, OwnName(path));
  const std::string name = own + ".lock";
  int fd = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0 && (errno == EROFS || errno == EACCES)) {
    fd = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return FileLock(name, page, fd);
  }
  if (fd < 0) return FileProblem(errno, name, "a lock file that can be read");
  ASSIGN_OR_RETURN(const int locked, Lock(fd, path, page));
  return FileLock(name, page, locked);
}

absl::Status FileLock::Keep() {
  struct stat ours {};
  struct stat there {};
  const bool named = fstat(fd_, &ours) == 0 && stat(name_.c_str(), &there) == 0 &&
                     ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
  if (named) return absl::OkStatus();
  ASSIGN_OR_RETURN(const int fd, Lock(name_, name_, page_));
  close(fd_);
  fd_ = fd;
  return absl::OkStatus();
}

FileLock::~FileLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace joseki::book
