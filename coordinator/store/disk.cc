#include "coordinator/store/disk.h"

#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/problem.h"

namespace joseki::coordinator {
namespace {

// The folder of the file itself, if `path` is a symbolic link to it.
std::string FolderOfFile(const std::string& path) {
  std::error_code error;
  std::filesystem::path file = std::filesystem::weakly_canonical(path, error);
  if (error) file = path;
  const std::string folder = file.parent_path().string();
  return folder.empty() ? "." : folder;
}

// Network file systems, by statfs(2) and the kernel's magic.h. FUSE may be anything, but on
// clusters usually is a network.
constexpr std::pair<uint32_t, const char*> kNetworkFileSystems[] = {
    {0x6969, "nfs"},        {0x517B, "smb"},          {0xFF534D42, "cifs"},  {0xFE534D42, "smb2"},
    {0x0BD00BD0, "lustre"}, {0x47504653, "gpfs"},     {0x00C36400, "ceph"},  {0x65735546, "fuse"},
    {0x5346414F, "afs"},    {0x6B414653, "afs"},      {0x73757245, "coda"},  {0x01021997, "9p"},
    {0x19830326, "beegfs"}, {0x20030528, "orangefs"}, {0xAAD7AAEA, "panfs"}, {0x013661, "gfs2"},
    {0x7461636F, "ocfs2"},
};

uint64_t Mark(uint64_t bytes, double share, uint64_t total) {
  return std::min(bytes, static_cast<uint64_t>(share * static_cast<double>(total)));
}

}  // namespace

absl::StatusOr<DiskSpace> SpaceFor(const std::string& path) {
  struct statvfs info {};
  if (statvfs(FolderOfFile(path).c_str(), &info) != 0) {
    return FileProblem(errno, path, "a folder that can be read");
  }
  return DiskSpace{static_cast<uint64_t>(info.f_bavail) * info.f_frsize,
                   static_cast<uint64_t>(info.f_blocks) * info.f_frsize};
}

std::string NetworkFileSystemOf(const std::string& path) {
  struct statfs info {};
  if (statfs(FolderOfFile(path).c_str(), &info) != 0) return "";
  const auto magic = static_cast<uint32_t>(info.f_type);
  for (const auto& [known, name] : kNetworkFileSystems) {
    if (magic == known) return name;
  }
  return "";
}

DiskLevel LevelOf(const DiskSpace& space, const DiskMarks& marks) {
  if (space.free < Mark(marks.full_bytes, marks.full_share, space.total)) return DiskLevel::kFull;
  if (space.free < Mark(marks.low_bytes, marks.low_share, space.total)) return DiskLevel::kLow;
  return DiskLevel::kPlenty;
}

uint64_t RaiseDescriptorLimit() {
  struct rlimit limit {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < limit.rlim_max) {
    const rlim_t before = std::exchange(limit.rlim_cur, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  return limit.rlim_cur;
}

}  // namespace joseki::coordinator
