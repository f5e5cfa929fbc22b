#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"

namespace joseki::coordinator {

// A file that arrives in pieces: all or nothing. A caller that dies ends its stream like one that
// has finished, so the announcement in the first message is needed to distinguish them. Not
// thread-safe.
class Upload {
 public:
  explicit Upload(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Takes the first message's announcement of the whole. InvalidArgument "bad_field" for a size
  // above the limit, or no SHA-256.
  absl::Status Promise(uint64_t size, std::string_view sha256);
  // Whether Promise was called.
  bool promised() const { return promised_; }
  // InvalidArgument "bad_field" for more bytes than announced. REQUIRES: promised().
  absl::Status Add(std::string_view piece);
  // Ends the upload and returns the file. InvalidArgument "torn_upload" if it is not the announced
  // one. Takes the time of hashing the file.
  absl::StatusOr<std::string> Finish();

 private:
  const size_t most_bytes_;
  bool promised_ = false;
  uint64_t size_ = 0;
  Sha256 sha256_{};
  std::string bytes_;
};

}  // namespace joseki::coordinator
