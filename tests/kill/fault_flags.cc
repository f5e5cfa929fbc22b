#include "tests/kill/fault_flags.h"

#include <cstdlib>
#include <string_view>

#include "absl/strings/numbers.h"

namespace joseki::testing {

FaultFlags TakeFaultFlags(int& argc, char** argv) {
  FaultFlags flags;
  int kept = 0;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::string_view value = argument.substr(argument.find('=') + 1);
    bool good = true;
    if (argument.starts_with("--fault-control=")) {
      flags.control = value;
    } else if (argument.starts_with("--fault-sync-us=")) {
      good = absl::SimpleAtoi(std::string(value), &flags.sync_us);
    } else if (argument == "--fault-power-loss") {
      flags.power_loss = true;
    } else if (argument.starts_with("--fault-wal-pages=")) {
      good = absl::SimpleAtoi(std::string(value), &flags.wal_pages);
    } else {
      good = !argument.starts_with("--fault-");
      argv[kept++] = argv[i];
    }
    if (!good) std::exit(2);
  }
  argc = kept;
  argv[kept] = nullptr;
  return flags;
}

}  // namespace joseki::testing
