#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/database_file.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki {
namespace {

// A name typed for another must not cost a book: nothing that is written here is a database.
absl::Status RefuseBookDatabase(const std::string& path) {
  if (!IsBookDatabaseAt(path)) return absl::OkStatus();
  return MakeProblem({.code = "file_exists",
                      .file = path,
                      .found = "a book database of joseki",
                      .expected = "another name"},
                     absl::StatusCode::kAlreadyExists);
}

}  // namespace

absl::StatusOr<AtomicFile> AtomicFile::Create(const std::string& path, mode_t mode) {
  std::string place = path;
  std::error_code error;
  if (std::filesystem::is_symlink(path, error)) {
    const std::filesystem::path file = std::filesystem::canonical(path, error);
    if (!error) place = file.string();
  }
  struct stat there {};
  if (stat(place.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    return MakeProblem(
        {.code = "file_error",
         .file = path,
         .found = S_ISDIR(there.st_mode) ? "a folder" : "a device, a pipe or a socket",
         .expected = "a file, or a name for one"});
  }
  RETURN_IF_ERROR(RefuseBookDatabase(path));
  // Threads, and processes of equal number in containers that share a folder, may write one file.
  std::string temporary;
  int descriptor = -1;
  do {
    temporary = absl::StrCat(place, ".", absl::Hex(std::random_device()()), ".tmp");
    descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0) return FileProblem(errno, path, "a writable folder");
  return AtomicFile(std::move(place), std::move(temporary), descriptor);
}

AtomicFile::AtomicFile(std::string path, std::string temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::Status AtomicFile::Failed(int error) {
  unlink(temporary_.c_str());
  temporary_.clear();
  return FileProblem(error, path_, "room and permission to write");
}

absl::Status AtomicFile::Write(std::string_view bytes) {
  size_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed(errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status AtomicFile::Commit() {
  if (fsync(descriptor_) != 0) return Failed(errno);
  if (close(std::exchange(descriptor_, -1)) != 0) return Failed(errno);
  const absl::Status renamed = RenameFile(temporary_, path_);
  if (renamed.ok()) temporary_.clear();
  return renamed;
}

}  // namespace joseki
