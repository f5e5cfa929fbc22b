#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki::book {

// One frame of Zstandard, as the command `zstd` makes and takes it.
absl::StatusOr<std::string> Compress(std::string_view bytes);

// The inverse, of any number of frames. `file` is for the problem: DataLoss "bad_archive" where it
// is broken or would become more than `limit` bytes.
absl::StatusOr<std::string> Decompress(std::string_view bytes, uint64_t limit,
                                       std::string_view file);

}  // namespace joseki::book
