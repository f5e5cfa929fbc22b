#include "base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/problem.h"

namespace joseki {
namespace {

constexpr uint64_t kUnknown = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kMega = uint64_t{1} << 20;
// Smaller amounts are not checked: the check costs more than clearing the memory.
constexpr uint64_t kSmall = 16 * kMega;
// Kept free for everything else.
constexpr uint64_t kReserve = 64 * kMega;

std::optional<uint64_t> Number(std::string_view text) {
  uint64_t number = 0;
  if (!absl::SimpleAtoi(absl::StripAsciiWhitespace({text.data(), text.size()}), &number)) {
    return std::nullopt;
  }
  return number;
}

// The number that is a file's only content; nullopt: no number ("max"), or no file.
std::optional<uint64_t> NumberIn(const std::string& path) {
  const auto text = ReadFile(path);
  return text.ok() ? Number(*text) : std::nullopt;
}

// The first number after `name` in a file of lines "name number unit".
std::optional<uint64_t> NumberOf(const std::string& path, std::string_view name) {
  const auto text = ReadFile(path);
  if (!text.ok()) return std::nullopt;
  for (const absl::string_view line : absl::StrSplit(*text, '\n')) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (words.size() >= 2 && words[0] == name) return Number(words[1]);
  }
  return std::nullopt;
}

uint64_t Rest(uint64_t limit, uint64_t used) { return limit > used ? limit - used : 0; }

// The names of a control group's files, and of the line that counts reclaimable memory.
struct GroupFiles {
  const char* folder;
  const char* limit;
  const char* used;
  const char* cache;
};

// Memory that the group at `path` and its ancestors leave.
uint64_t RestOfGroups(const std::string& root, const GroupFiles& files, std::string path) {
  uint64_t rest = kUnknown;
  for (;;) {
    const std::string folder = absl::StrCat(root, files.folder, path, "/");
    const std::optional<uint64_t> limit = NumberIn(folder + files.limit);
    const std::optional<uint64_t> used = NumberIn(folder + files.used);
    if (limit && used) {
      const uint64_t cache = NumberOf(folder + "memory.stat", files.cache).value_or(0);
      rest = std::min(rest, Rest(*limit, Rest(*used, cache)));
    }
    if (path.empty()) return rest;
    path.resize(path.rfind('/'));
  }
}

uint64_t RestOfGroups(const std::string& root) {
  uint64_t rest = kUnknown;
  const auto text = ReadFile(root + "/proc/self/cgroup");
  if (!text.ok()) return rest;
  for (const absl::string_view line : absl::StrSplit(*text, '\n')) {
    // The fields are number, controllers, path.
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3 || parts[2].empty() || parts[2][0] != '/') continue;
    const std::string path = parts[2] == "/" ? "" : parts[2];
    if (parts[1].empty()) {
      constexpr GroupFiles kTwo{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
      rest = std::min(rest, RestOfGroups(root, kTwo, path));
    } else if (parts[1] == "memory") {
      constexpr GroupFiles kOne{"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                "memory.usage_in_bytes", "total_inactive_file"};
      rest = std::min(rest, RestOfGroups(root, kOne, path));
    }
  }
  return rest;
}

uint64_t RestOfAddresses(const std::string& root) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  const auto text = ReadFile(root + "/proc/self/statm");
  const std::optional<uint64_t> pages =
      text.ok() ? Number(text->substr(0, text->find(' '))) : std::nullopt;
  if (!pages) return kUnknown;
  return Rest(limit.rlim_cur, *pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace

uint64_t AvailableMemory(const std::string& root) {
  const std::string meminfo = root + "/proc/meminfo";
  uint64_t rest = std::min(RestOfGroups(root), RestOfAddresses(root));
  if (const auto kilobytes = NumberOf(meminfo, "MemAvailable:")) {
    rest = std::min(rest, *kilobytes << 10);
  }
  // With strict overcommit the system promises no more than it has.
  constexpr uint64_t kStrict = 2;
  if (NumberIn(root + "/proc/sys/vm/overcommit_memory") == kStrict) {
    const auto limit = NumberOf(meminfo, "CommitLimit:");
    const auto used = NumberOf(meminfo, "Committed_AS:");
    if (limit && used) rest = std::min(rest, Rest(*limit, *used) << 10);
  }
  return rest;
}

absl::Status CheckMemory(std::string_view option, uint64_t bytes, uint64_t held) {
  const uint64_t more = Rest(bytes, held);
  if (more < kSmall) return absl::OkStatus();
  const uint64_t rest = Rest(AvailableMemory(), kReserve);
  if (more <= rest) return absl::OkStatus();
  return MakeProblem({.code = "no_memory",
                      .file = std::string(option),
                      .found = absl::StrCat("a table of ", bytes / kMega, " MiB"),
                      .expected = absl::StrCat("at most the ", (rest + held) / kMega,
                                               " MiB that can be had here now")},
                     absl::StatusCode::kResourceExhausted);
}

}  // namespace joseki
