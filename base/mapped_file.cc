#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "base/problem.h"

namespace joseki {

absl::StatusOr<MappedFile> MappedFile::Open(const std::string& path) {
  const auto failed = [&](int error) { return FileProblem(error, path, "a readable file"); };
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return failed(errno);
  const auto close_file = absl::MakeCleanup([file] { close(file); });
  struct stat status {};
  if (fstat(file, &status) != 0) return failed(errno);
  if (!S_ISREG(status.st_mode)) return failed(S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
  if (status.st_size == 0) return MappedFile(std::string_view());
  const auto size = static_cast<size_t>(status.st_size);
  void* const memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return failed(errno);
  return MappedFile(std::string_view(static_cast<const char*>(memory), size));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace joseki
