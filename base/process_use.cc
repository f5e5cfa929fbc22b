#include "base/process_use.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace joseki {

absl::StatusOr<ProcessUse> ProcessUseOf(pid_t pid) {
  ASSIGN_OR_RETURN(const std::string stat, ReadFile(absl::StrCat("/proc/", pid, "/stat")));
  ASSIGN_OR_RETURN(const std::string status, ReadFile(absl::StrCat("/proc/", pid, "/status")));
  ProcessUse use;
  // The name in brackets may contain anything. After it come the state and numbers; utime is the
  // 12th.
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  use.cpu_seconds = (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::istringstream lines(status);
  for (std::string word; lines >> word;) {
    uint64_t kib = 0;
    if (word == "VmRSS:" && lines >> kib) use.resident_bytes = kib << 10;
    if (word == "VmHWM:" && lines >> kib) use.most_resident_bytes = kib << 10;
  }
  return use;
}

}  // namespace joseki
