#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace joseki::book {

// Bundles are compressed files and archives: .gz, .zst, .xz, .bz2, each alone or around a .tar, and
// .tar, .zip, .7z.

// True if `bytes` begins like a bundle.
bool IsBundle(std::string_view bytes);

struct BundleLimits {
  uint64_t member = uint64_t{1} << 30;  // bytes of one file, which is held in memory
  // All files together may have `free` bytes plus `ratio` bytes for each byte of the bundle.
  // Records and books shrink to about a tenth; a bundle that grows 200 times is an attack.
  uint64_t free = uint64_t{256} << 20;
  uint64_t ratio = 200;
  uint64_t members = 1'000'000;
};

// Calls `visit` for each file in the bundle, in order. `name` is `file` plus the inner name, or
// `file` alone for a single compressed file. Folders, links and empty files are skipped. Problems
// concern the whole bundle: "bad_archive" if it is broken, encrypted or of an unknown kind,
// "archive_too_large" if it exceeds the limits. Files before the problem have been visited. The
// contents are never written to disk, and no other program is run. libarchive does not check gzip's
// checksum, so a changed byte may show only in the contents.
absl::Status ReadBundle(
    std::string_view bytes, std::string_view file, const BundleLimits& limits,
    const std::function<void(const std::string& name, std::string_view bytes)>& visit);

}  // namespace joseki::book
