#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/atomic_file.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki {
namespace {

void SyncFolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int directory =
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  fsync(directory);
  close(directory);
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FileProblem(errno, path, "a readable file");
  auto closer = absl::MakeCleanup([fd] { close(fd); });
  std::string bytes;
  if (struct stat info; fstat(fd, &info) == 0 && info.st_size > 0) {
    bytes.reserve(static_cast<size_t>(info.st_size));  // an estimate: the file may change meanwhile
  }
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n == 0) return bytes;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileProblem(errno, path, "a readable file");
    bytes.append(buffer, static_cast<size_t>(n));
  }
}

absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes, mode_t mode) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path, mode));
  RETURN_IF_ERROR(file.Write(bytes));
  return file.Commit();
}

FileStamp StampOf(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return {.size = -2};
  return {info.st_ino, info.st_size,
          int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

absl::StatusOr<Sha256> HashOfFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FileProblem(errno, path, "a readable file");
  const auto closer = absl::MakeCleanup([fd] { close(fd); });
  Sha256Stream hash;
  std::vector<char> buffer(size_t{1} << 20);
  for (;;) {
    const ssize_t n = read(fd, buffer.data(), buffer.size());
    if (n == 0) return hash.Finish();
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileProblem(errno, path, "a readable file");
    hash.Add(std::string_view(buffer.data(), static_cast<size_t>(n)));
  }
}

absl::Status SyncFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FileProblem(errno, path, "a readable file");
  const auto closer = absl::MakeCleanup([fd] { close(fd); });
  if (fsync(fd) != 0) return FileProblem(errno, path, "a disk that works");
  return absl::OkStatus();
}

absl::Status RenameFile(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    return FileProblem(errno, to, absl::StrCat("a folder that ", from, " can be renamed in"));
  }
  SyncFolderOf(to);
  return absl::OkStatus();
}

}  // namespace joseki
