#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"

namespace joseki {

// WriteFileAtomically for a file that is never in memory whole: written piece by piece beside its
// place, and there under its name only once Commit has succeeded. One that is not committed leaves
// nothing behind.
class AtomicFile {
 public:
  static absl::StatusOr<AtomicFile> Create(const std::string& path, mode_t mode = 0644);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  absl::Status Write(std::string_view bytes);
  // Synced, renamed, folder synced. Once, at the end.
  absl::Status Commit();

  uint64_t size() const { return size_; }
  // Of what was written. Once, after the last Write.
  Sha256 Hash() { return hash_->Finish(); }

 private:
  AtomicFile(std::string path, std::string temporary, int descriptor);
  // Gives the file up.
  absl::Status Failed(int error);

  std::string path_;
  std::string temporary_;  // empty: committed, or given up
  int descriptor_;
  uint64_t size_ = 0;
  std::unique_ptr<Sha256Stream> hash_;
};

}  // namespace joseki
