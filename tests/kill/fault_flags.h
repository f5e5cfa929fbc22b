#pragma once

#include <cstdint>
#include <string>

namespace joseki::testing {

// Flags that the programs of this folder accept in addition to their own:
//   --fault-control=FILE       a SharedFaultControl; created if it does not exist
//   --fault-sync-us=N          minimum duration of a database sync
//   --fault-power-loss         record unsynced writes, for LosePower
//   --fault-wal-pages=N        a checkpoint every N pages of the write-ahead log
struct FaultFlags {
  std::string control;
  uint32_t sync_us = 0;
  bool power_loss = false;
  int wal_pages = 0;  // 0: SQLite's default
};

// Removes these flags from the arguments.
FaultFlags TakeFaultFlags(int& argc, char** argv);

}  // namespace joseki::testing
