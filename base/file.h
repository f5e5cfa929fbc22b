#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"

namespace joseki {

// The whole of a file. NotFound, PermissionDenied or another code with the path in its problem.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// Makes `path` hold `bytes`, all or nothing: written beside it, synced, renamed over it, folder
// synced. `mode` are its permissions, less the process's umask; whatever is written, at no time are
// they wider.
absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes,
                                 mode_t mode = 0644);

// Tells two states of a file apart: a replaced file is another inode. Equal for two times without a
// file, and different from a default one even then.
struct FileStamp {
  uint64_t inode = 0;
  int64_t size = -1;
  int64_t modified_ns = 0;
  bool operator==(const FileStamp&) const = default;
};
FileStamp StampOf(const std::string& path);

// SHA-256 of the whole of a file, read piece by piece. Codes as ReadFile's.
absl::StatusOr<Sha256> HashOfFile(const std::string& path);

// Syncs the file's writes to the disk. Not for a SQLite database that this process has open:
// closing any handle on it drops SQLite's locks.
absl::Status SyncFile(const std::string& path);

// Renames, replacing what has the new name, and makes it last (the folder is synced).
absl::Status RenameFile(const std::string& from, const std::string& to);

}  // namespace joseki
