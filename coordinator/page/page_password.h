#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace joseki::coordinator {

// The password of the page: the first line of a file that only its owner can read. A missing file
// is made, with 256 random bits. FailedPrecondition "bad_password" for a file that others may read,
// or a password of less than twelve characters; else codes of reading and writing.
absl::StatusOr<std::string> PagePassword(const std::string& path);

}  // namespace joseki::coordinator
