#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki::book {

// Compresses into one Zstandard frame, as the command `zstd` writes and reads it.
absl::StatusOr<std::string> Compress(std::string_view bytes);

// Decompresses any number of frames. DataLoss "bad_archive", naming `file`, if the data are broken
// or would exceed `limit` bytes.
absl::StatusOr<std::string> Decompress(std::string_view bytes, uint64_t limit,
                                       std::string_view file);

}  // namespace joseki::book
