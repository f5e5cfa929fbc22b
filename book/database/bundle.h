#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace joseki::book {

// Bundles are compressed files and archives of files: .gz, .zst, .xz, .bz2, alone or around a .tar,
// and .tar, .zip, .7z.

// True if `bytes` begin like a bundle.
bool IsBundle(std::string_view bytes);

struct BundleLimits {
  uint64_t member = uint64_t{1} << 30;  // bytes of one file, which is in memory whole
  // Bounds of all files together: the size that any bundle may have, and the growth of a byte.
  // Records and books shrink to a tenth or so; a file that grows 200 times was made to do harm.
  uint64_t free = uint64_t{256} << 20;
  uint64_t ratio = 200;
  uint64_t members = 1'000'000;
};

// Calls `visit` for each file in the bundle, in its order, one after the other. `name` is `file`
// and the name inside, or `file` alone for one that is only compressed. Folders, links and empty
// files are skipped. One problem for the whole: "bad_archive" if it is broken, encrypted or of an
// unknown kind, "archive_too_large" if it exceeds the limits; files before that have been visited.
// The contents are never written to a disk, and no other program is run. libarchive does not check
// gzip's checksum: a changed byte may only show in the contents.
absl::Status ReadBundle(
    std::string_view bytes, std::string_view file, const BundleLimits& limits,
    const std::function<void(const std::string& name, std::string_view bytes)>& visit);

}  // namespace joseki::book
