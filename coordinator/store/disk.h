#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace joseki::coordinator {

struct DiskSpace {
  uint64_t free = 0;   // bytes that this process may still use
  uint64_t total = 0;  // bytes
};

// The space of the file system that holds the folder of `path`, or of the file that `path` is a
// symbolic link to; the file need not exist.
absl::StatusOr<DiskSpace> SpaceFor(const std::string& path);

// "nfs", "cifs" and so on if that folder is on a file system that other machines serve.
// Empty if it is local or unknown. SQLite's write-ahead log needs shared memory and reliable locks,
// which such file systems do not guarantee.
std::string NetworkFileSystemOf(const std::string& path);

// Marks of free space below which work stops. A mark is the smaller of its bytes and its share of
// the disk, so that small disks are usable.
struct DiskMarks {
  uint64_t low_bytes = uint64_t{2} << 30;  // no further games are granted
  double low_share = 0.05;
  uint64_t full_bytes = uint64_t{512} << 20;  // only games are accepted
  double full_share = 0.0125;
};

enum class DiskLevel { kPlenty, kLow, kFull };
DiskLevel LevelOf(const DiskSpace& space, const DiskMarks& marks);

// Raises the limit of open files and sockets as far as possible without privileges; returns it.
uint64_t RaiseDescriptorLimit();

}  // namespace joseki::coordinator
