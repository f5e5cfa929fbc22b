#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki {

// A file whose bytes stand in memory without being read: pages come as they are asked for, and
// processes share them. For files that never change once they have their name (WriteFileAtomically
// replaces, it does not change): one that is cut short while it is mapped ends the process. One
// that is removed stays readable.
class MappedFile {
 public:
  // Codes as ReadFile's. An empty file is empty bytes.
  static absl::StatusOr<MappedFile> Open(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::string_view bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

}  // namespace joseki
