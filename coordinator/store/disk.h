#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace joseki::coordinator {

struct DiskSpace {
  uint64_t free = 0;   // bytes that this process may still use
  uint64_t total = 0;  // bytes
};

// The file system that holds `path`, or that will: its folder is asked.
absl::StatusOr<DiskSpace> SpaceFor(const std::string& path);

// "nfs", "cifs" and so on where the folder of `path` is on a file system that other machines serve;
// empty where it is local, or where nothing can be found out. SQLite's write-ahead log needs memory
// that all who use the database share, and locks that hold: neither is sure there.
std::string NetworkFileSystemOf(const std::string& path);

// Below which free space what stops. A mark is the smaller of its bytes and its share of the disk,
// so that a small disk is of use too.
struct DiskMarks {
  uint64_t low_bytes = uint64_t{2} << 30;  // no further games are given out
  double low_share = 0.05;
  uint64_t full_bytes = uint64_t{512} << 20;  // nothing is taken but games
  double full_share = 0.0125;
};

enum class DiskLevel { kPlenty, kLow, kFull };
DiskLevel LevelOf(const DiskSpace& space, const DiskMarks& marks);

// How many files and sockets this process may have open, after raising that as far as it may be
// raised without privileges.
uint64_t RaiseDescriptorLimit();

}  // namespace joseki::coordinator
