#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace joseki {

// The whole of a file. NotFound, PermissionDenied or another code with the path in its problem.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// Makes `path` hold `bytes`, all or nothing: written beside it, synced, renamed over it, folder
// synced. `mode` are its permissions, less the process's umask; whatever is written, at no time are
// they wider.
absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes,
                                 mode_t mode = 0644);

}  // namespace joseki
