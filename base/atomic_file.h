#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace joseki {

// A file that is written piece by piece beside its place, and is there under its name only once
// Commit has succeeded. One that is not committed leaves nothing behind. Bytes that are in memory
// whole are written by WriteFileAtomically (base/file.h).
class AtomicFile {
 public:
  // `mode` are its permissions, less the process's umask; at no time are they wider. A name that is
  // another file's is given to this one, a link stays and its file is replaced; "file_error" where
  // there is a device, a pipe or a socket: the file would stand in its place.
  static absl::StatusOr<AtomicFile> Create(const std::string& path, mode_t mode = 0644);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  absl::Status Write(std::string_view bytes);
  // Synced, renamed, folder synced. Once, at the end.
  absl::Status Commit();

  uint64_t size() const { return size_; }

 private:
  AtomicFile(std::string path, std::string temporary, int descriptor);
  // Gives the file up.
  absl::Status Failed(int error);

  std::string path_;
  std::string temporary_;  // empty: committed, or given up
  int descriptor_;
  uint64_t size_ = 0;
};

}  // namespace joseki
