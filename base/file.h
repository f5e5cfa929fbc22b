#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"

namespace joseki {

// The contents of a file. NotFound, PermissionDenied or another code with the path in its problem.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// Writes `bytes` to `path`, all or nothing: to a temporary file, which is synced and renamed, then
// the folder is synced. `mode`: the permissions, less the process's umask; they are never wider,
// even for a moment.
absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes,
                                 mode_t mode = 0644);

// Distinguishes two states of a file: a replaced file has another inode. Two stamps without a file
// are equal, and differ from a default-constructed one.
struct FileStamp {
  uint64_t inode = 0;
  int64_t size = -1;
  int64_t modified_ns = 0;
  bool operator==(const FileStamp&) const = default;
};
FileStamp StampOf(const std::string& path);

// SHA-256 of a file's contents, read piece by piece. Codes as ReadFile's.
absl::StatusOr<Sha256> HashOfFile(const std::string& path);

// Syncs the file's writes to the disk. Not for a SQLite database that this process has open:
// closing any handle of it drops SQLite's locks.
absl::Status SyncFile(const std::string& path);

// Renames, replacing an existing file, and syncs the folder.
absl::Status RenameFile(const std::string& from, const std::string& to);

}  // namespace joseki
