#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The number of cores that this process may use, as limited by a container or a batch system.
namespace joseki::worker {

// The processor limit, in cores, of a cgroup v2 file cpu.max ("max 100000", "150000 100000").
// Nullopt: no limit, or a text of another form.
std::optional<double> QuotaOf(std::string_view cpu_max);

// The cores that the cgroup v1 files cpu.cfs_quota_us (-1: no limit) and cpu.cfs_period_us allow.
std::optional<double> QuotaOf(std::string_view quota_us, std::string_view period_us);

// The cgroups of a process, from the text of its /proc/self/cgroup: innermost first, as folders
// below the mount point. The outermost is "".
struct CgroupFolders {
  std::vector<std::string> v2;
  std::vector<std::string> v1;  // of the cpu controller
};
CgroupFolders FoldersOf(std::string_view proc_self_cgroup);

// The smallest limit that applies, reading <root>/proc/self/cgroup and the files below
// <root>/sys/fs/cgroup; nullopt: none.
std::optional<double> CgroupQuota(const std::string& root = "");

// The number of cores: those of the affinity mask, or the quota rounded up where that is less; at
// least 1.
int CoresFor(int affinity, std::optional<double> quota);
int UsableCores();

}  // namespace joseki::worker
