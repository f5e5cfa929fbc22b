#include "worker/node.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "proto/limits.h"
#include "worker/play/cores.h"

namespace joseki::worker {
namespace {

// The value that cgroup v1 writes for no limit: the largest page.
constexpr uint64_t kNoLimit = uint64_t{1} << 60;

bool IsLabel(std::string_view name, std::string_view value) {
  return IsId(name) && value.size() <= kMaxLabelBytes &&
         std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> LabelsOf(const std::vector<std::string>& texts) {
  const auto bad = [](const std::string& found, const std::string& expected) {
    return MakeProblem({.code = "usage", .file = "--label", .found = found, .expected = expected});
  };
  std::map<std::string, std::string> labels;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || !IsLabel(std::string_view(text).substr(0, equals),
                                                std::string_view(text).substr(equals + 1))) {
      return bad(Quote(text), "NAME=VALUE, the name of a-z 0-9 . _ -, each at most 64 bytes");
    }
    if (!labels.emplace(text.substr(0, equals), text.substr(equals + 1)).second) {
      return bad(Quote(text), "each name once");
    }
  }
  if (labels.size() > kMaxLabels) {
    return bad(absl::StrCat(labels.size(), " labels"), absl::StrCat("at most ", kMaxLabels));
  }
  return labels;
}

std::optional<uint64_t> MemoryLimitOf(std::string_view text) {
  while (!text.empty() && absl::ascii_isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  uint64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc() || end != text.data() + text.size() || limit >= kNoLimit) {
    return std::nullopt;
  }
  return limit;
}

std::optional<uint64_t> CgroupMemory(const std::string& root) {
  const absl::StatusOr<std::string> groups = ReadFile(root + "/proc/self/cgroup");
  if (!groups.ok()) return std::nullopt;
  std::optional<uint64_t> least;
  const auto look = [&least](const std::string& path) {
    const absl::StatusOr<std::string> text = ReadFile(path);
    if (!text.ok()) return;
    const std::optional<uint64_t> limit = MemoryLimitOf(*text);
    if (limit && (!least || *limit < *least)) least = limit;
  };
  for (const std::string& folder : FoldersOf(*groups).v2) {
    look(absl::StrCat(root, "/sys/fs/cgroup", folder, "/memory.max"));
  }
  // In a container the process's own group is mounted at the root.
  look(root + "/sys/fs/cgroup/memory/memory.limit_in_bytes");
  return least;
}

uint64_t UsableMemoryMb() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t page = sysconf(_SC_PAGE_SIZE);
  uint64_t bytes = pages > 0 && page > 0 ? static_cast<uint64_t>(pages * page) : 0;
  const std::optional<uint64_t> limit = CgroupMemory();
  if (limit && (bytes == 0 || *limit < bytes)) bytes = *limit;
  return bytes >> 20;
}

uint32_t PerSeat(uint64_t whole, uint32_t seats) {
  if (whole == 0) return 0;
  const uint64_t part = whole / std::max<uint32_t>(seats, 1);
  return static_cast<uint32_t>(std::clamp<uint64_t>(part, 1, kMaxMemoryMb));
}

}  // namespace joseki::worker
