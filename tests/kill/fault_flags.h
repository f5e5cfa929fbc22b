#pragma once

#include <cstdint>
#include <string>

namespace joseki::testing {

// What the programs of this folder take beside their own flags, in front of or among them:
//   --fault-control=FILE       a SharedFaultControl; made where there is none
//   --fault-sync-us=N          every sync of the database takes at least so long
//   --fault-power-loss         note what is not synced, for LosePower
//   --fault-wal-pages=N        a checkpoint every N pages of the write-ahead log
struct FaultFlags {
  std::string control;
  uint32_t sync_us = 0;
  bool power_loss = false;
  int wal_pages = 0;  // 0: as SQLite does
};

// Takes these flags out of the arguments.
FaultFlags TakeFaultFlags(int& argc, char** argv);

}  // namespace joseki::testing
