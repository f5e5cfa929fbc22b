#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki {

// A file mapped into memory: pages are loaded at first access, and processes share them. Only for
// files that are replaced as a whole (WriteFileAtomically) and never changed in place: truncation
// while mapped kills the process. A removed file stays readable.
class MappedFile {
 public:
  // Codes as ReadFile's. An empty file has empty bytes().
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
