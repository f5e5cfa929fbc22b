#include "coordinator/services/upload.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "coordinator/services/from_wire.h"

namespace joseki::coordinator {
namespace {

absl::Status Torn(std::string found, std::string expected) {
  return MakeProblem(
      {.code = "torn_upload", .found = std::move(found), .expected = std::move(expected)});
}

}  // namespace

absl::Status Upload::Promise(uint64_t size, std::string_view sha256) {
  if (size > most_bytes_) {
    return BadField("size", absl::StrCat(size, " bytes"), absl::StrCat("at most ", most_bytes_));
  }
  if (sha256.size() != sha256_.size()) {
    return BadField("sha256", absl::StrCat(sha256.size(), " bytes"),
                    "32, the SHA-256 of the whole file");
  }
  size_ = size;
  std::copy(sha256.begin(), sha256.end(), sha256_.begin());
  promised_ = true;
  return absl::OkStatus();
}

absl::Status Upload::Add(std::string_view piece) {
  if (piece.size() > size_ - bytes_.size()) {
    return BadField("data", absl::StrCat("more than ", size_, " bytes"),
                    "as many as the first message says");
  }
  bytes_ += piece;
  return absl::OkStatus();
}

absl::StatusOr<std::string> Upload::Finish() {
  if (!promised_) return BadField("data", "no message", "a header and a file");
  if (bytes_.size() < size_) {
    return Torn(absl::StrCat("the end after ", bytes_.size(), " bytes"),
                absl::StrCat(size_, " bytes"));
  }
  if (const Sha256 sha256 = Sha256Of(bytes_); sha256 != sha256_) {
    return Torn(absl::StrCat("a file with SHA-256 ", Hex(sha256)), Hex(sha256_));
  }
  return std::exchange(bytes_, {});
}

}  // namespace joseki::coordinator
