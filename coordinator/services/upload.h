#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"

namespace joseki::coordinator {

// A file that comes in pieces: all of it or nothing. A caller that dies ends its stream as one that
// has finished does, so only what the first message promised tells the two apart. Not thread-safe.
class Upload {
 public:
  explicit Upload(size_t most_bytes) : most_bytes_(most_bytes) {}

  // What the first message says of the whole. InvalidArgument "bad_field" for a size above the most
  // or no SHA-256.
  absl::Status Promise(uint64_t size, std::string_view sha256);
  // Whether Promise was called.
  bool promised() const { return promised_; }
  // InvalidArgument "bad_field" for more than was promised. REQUIRES: promised().
  absl::Status Add(std::string_view piece);
  // No piece will come any more: the file. InvalidArgument "torn_upload" if it is not the one that
  // was promised. Takes as long as the file's hash.
  absl::StatusOr<std::string> Finish();

 private:
  const size_t most_bytes_;
  bool promised_ = false;
  uint64_t size_ = 0;
  Sha256 sha256_{};
  std::string bytes_;
};

}  // namespace joseki::coordinator
