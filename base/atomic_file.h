#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace joseki {

// A file written piece by piece under a temporary name, which gets its own name only when Commit
// succeeds. Without Commit nothing is left behind. For bytes that are complete in memory there is
// WriteFileAtomically (base/file.h).
class AtomicFile {
 public:
  // `mode`: the permissions, less the process's umask; they are never wider, even for a moment.
  // Commit replaces an existing file of that name; of a link, its target. "file_error" where there
  // is a folder, or a device, a pipe or a socket, which the file would replace; "file_exists" where
  // there is a book database of Joseki.
  static absl::StatusOr<AtomicFile> Create(const std::string& path, mode_t mode = 0644);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  absl::Status Write(std::string_view bytes);
  // Syncs, renames, and syncs the folder. To be called once, at the end.
  absl::Status Commit();

  uint64_t size() const { return size_; }

 private:
  AtomicFile(std::string path, std::string temporary, int descriptor);
  // Discards the file and returns the error.
  absl::Status Failed(int error);

  std::string path_;
  std::string temporary_;  // empty: committed or discarded
  int descriptor_;
  uint64_t size_ = 0;
};

}  // namespace joseki
