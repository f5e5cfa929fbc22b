// joseki-coordinator over the fault VFS; never shipped. The linker lets this stand before its main
// (--wrap=main), so that what is tested is the program itself.

#include <unistd.h>

#include <iostream>
#include <memory>

#include "tests/kill/fault_flags.h"
#include "tests/support/fault_control.h"
#include "tests/support/fault_vfs.h"

extern "C" {
int __real_main(int argc, char** argv);
int __wrap_main(int argc, char** argv);
}

namespace joseki::testing {
namespace {

int Main(int argc, char** argv) {
  const FaultFlags flags = TakeFaultFlags(argc, argv);
  FaultControl own;
  std::unique_ptr<SharedFaultControl> shared;
  if (!flags.control.empty()) {
    auto mapped = SharedFaultControl::Map(flags.control);
    if (!mapped.ok()) {
      std::cerr << mapped.status() << std::endl;
      return 1;
    }
    shared = *std::move(mapped);
  }
  FaultControl& control = shared == nullptr ? own : **shared;
  if (flags.sync_us > 0) control.sync_us = flags.sync_us;
  const FaultVfs vfs(control, {.power_loss = flags.power_loss,
                               .wal_pages = flags.wal_pages,
                               .seed = static_cast<uint64_t>(getpid())});
  return __real_main(argc, argv);
}

}  // namespace
}  // namespace joseki::testing

int __wrap_main(int argc, char** argv) { return joseki::testing::Main(argc, argv); }
