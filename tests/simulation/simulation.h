#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace joseki::testing {

// One coordinator, hundreds of workers, a network and a disk, in one thread and under one seed.
//
// The coordinator is the real one over real SQLite, stepped (Coordinator::Step); the disk
// beneath it is a FaultVfs. Workers are SimWorkers. The network loses messages and replies, repeats
// and delays them, lets them overtake each other, and cuts workers off in one direction or both.
// The coordinator is killed at any time and in the middle of writing, with and without the power
// going; its disk fills up and fails; workers are killed, drained, suspended and started again. An
// operator creates four runs, pauses, resumes and stops them, gives them more to play, moves
// their priorities, blocks and unblocks workers, takes backups, and in some simulations goes back
// to one. One worker's engine is not the others'. After a while all that stops, the runs must come
// to their end, and then the counts must agree.
//
// What must hold besides: nothing acknowledged is ever missing, but for what came after a backup
// that was restored, and of that nothing comes back; a run is created once however often it is
// asked for; what an operator was told is done survives every restart; no honest worker is
// quarantined.
struct SimulationOptions {
  uint64_t seed = 1;
  int workers = 300;
  uint64_t games = 300;                           // of each run
  std::string folder;                             // empty; for the database
  std::function<void(const std::string&)> print;  // gets every event; may be empty
};

struct SimulationReport {
  std::vector<std::string> violations;  // of what must always hold; empty: all is well
  uint64_t trace = 0;                   // a hash of everything that happened
  double simulated_seconds = 0;
  uint64_t games = 0;  // stored
  uint64_t acknowledged = 0;
  uint64_t duplicates = 0;
  uint64_t stale = 0;
  uint64_t faults = 0;
  uint64_t messages = 0;
  uint64_t lost = 0;
  uint64_t repeated = 0;
  uint64_t coordinator_deaths = 0;
  uint64_t deaths_while_writing = 0;
  uint64_t power_losses = 0;
  uint64_t storage_faults = 0;
  uint64_t worker_deaths = 0;
  uint64_t leases_with_replies = 0;  // that came with the reply to a Submit
  uint64_t copies = 0;               // games that were played again
  uint64_t quarantines = 0;          // of the wrong worker
  uint64_t blocks = 0;               // by the operator
  uint64_t extensions = 0;
  uint64_t backups = 0;
  uint64_t restores = 0;
  uint64_t of_lost_epochs = 0;  // games that were refused since they are of a lost epoch
};

// REQUIRES: no SQLite connection of this process is open, and no other simulation runs in it.
SimulationReport Simulate(const SimulationOptions& options);

}  // namespace joseki::testing
