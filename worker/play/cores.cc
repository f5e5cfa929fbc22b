#include "worker/play/cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"

namespace joseki::worker {
namespace {

std::optional<double> Ratio(std::string_view quota, std::string_view period) {
  int64_t quota_us = 0;
  int64_t period_us = 0;
  if (!absl::SimpleAtoi(std::string(quota), &quota_us) ||
      !absl::SimpleAtoi(std::string(period), &period_us) || quota_us <= 0 || period_us <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(quota_us) / static_cast<double>(period_us);
}

std::string Trimmed(std::string_view text) {
  return std::string(absl::StripAsciiWhitespace(absl::string_view(text.data(), text.size())));
}

// The path and its ancestors: "/a/b" -> "/a/b", "/a", "".
std::vector<std::string> Ancestors(std::string path) {
  while (path.ends_with('/')) path.pop_back();
  std::vector<std::string> folders{path};
  while (!path.empty()) {
    const size_t slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
    folders.push_back(path);
  }
  return folders;
}

void Lower(std::optional<double>& least, std::optional<double> quota) {
  if (quota && (!least || *quota < *least)) least = quota;
}

}  // namespace

std::optional<double> QuotaOf(std::string_view cpu_max) {
  const std::vector<std::string> words =
      absl::StrSplit(Trimmed(cpu_max), absl::ByAnyChar(" \t"), absl::SkipEmpty());
  if (words.size() != 2) return std::nullopt;
  return Ratio(words[0], words[1]);  // "max" is no number and means no limit
}

std::optional<double> QuotaOf(std::string_view quota_us, std::string_view period_us) {
  return Ratio(Trimmed(quota_us), Trimmed(period_us));
}

CgroupFolders FoldersOf(std::string_view proc_self_cgroup) {
  CgroupFolders folders;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(
           absl::string_view(proc_self_cgroup.data(), proc_self_cgroup.size()), '\n'))) {
    // Format: hierarchy:controllers:path, where the path may hold colons.
    const std::vector<std::string> fields = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (fields.size() != 3 || !fields[2].starts_with('/')) continue;
    if (fields[0] == "0" && fields[1].empty()) {
      folders.v2 = Ancestors(fields[2]);
      continue;
    }
    for (const std::string& controller : std::vector<std::string>(absl::StrSplit(fields[1], ','))) {
      if (controller == "cpu") folders.v1 = Ancestors(fields[2]);
    }
  }
  return folders;
}

std::optional<double> CgroupQuota(const std::string& root) {
  const absl::StatusOr<std::string> groups = ReadFile(root + "/proc/self/cgroup");
  if (!groups.ok()) return std::nullopt;
  const CgroupFolders folders = FoldersOf(*groups);
  std::optional<double> least;
  for (const std::string& folder : folders.v2) {
    const auto limit = ReadFile(absl::StrCat(root, "/sys/fs/cgroup", folder, "/cpu.max"));
    if (limit.ok()) Lower(least, QuotaOf(*limit));
  }
  for (const std::string& folder : folders.v1) {
    const std::string path = absl::StrCat(root, "/sys/fs/cgroup/cpu", folder);
    const auto quota = ReadFile(path + "/cpu.cfs_quota_us");
    const auto period = ReadFile(path + "/cpu.cfs_period_us");
    if (quota.ok() && period.ok()) Lower(least, QuotaOf(*quota, *period));
  }
  return least;
}

int CoresFor(int affinity, std::optional<double> quota) {
  int cores = std::max(1, affinity);
  if (quota) cores = std::clamp(static_cast<int>(std::ceil(std::min(*quota, 1e6))), 1, cores);
  return cores;
}

int UsableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int affinity = sched_getaffinity(0, sizeof set, &set) == 0
                           ? CPU_COUNT(&set)
                           : static_cast<int>(std::thread::hardware_concurrency());
  return CoresFor(affinity, CgroupQuota());
}

}  // namespace joseki::worker
