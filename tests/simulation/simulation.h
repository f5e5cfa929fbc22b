#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace joseki::testing {

// One coordinator, hundreds of workers, a network and a disk, in one thread and under one seed.
//
// The coordinator is the real one over real SQLite, stepped (Coordinator::Step); the disk beneath
// it is a FaultVfs. Workers are SimWorkers. The network loses, repeats, delays and reorders
// messages and replies, and cuts workers off in one direction or both. The coordinator is killed at
// any time, also in the middle of writing, with and without a power failure; its disk fills up and
// fails. Workers are killed, drained, suspended and restarted. An operator creates four runs,
// pauses, resumes, stops and extends them, and changes their priorities. It blocks and unblocks
// workers, takes backups, and in some simulations restores one. One worker's engine differs from
// the others'. After a while all faults stop; the runs must then finish, and the counts must agree.
//
// Further invariants: no acknowledged game is ever missing, except those after a restored backup,
// and of these none returns. A run is created once, however often it is requested. Confirmed
// actions of an operator survive every restart. No honest worker is quarantined.
struct SimulationOptions {
  uint64_t seed = 1;
  int workers = 300;
  uint64_t games = 300;                           // of each run
  std::string folder;                             // for the database; must be empty
  std::function<void(const std::string&)> print;  // receives every event; may be null
};

struct SimulationReport {
  std::vector<std::string> violations;  // of invariants; empty: none
  uint64_t trace = 0;                   // hash of all events
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
  uint64_t leases_with_replies = 0;  // leases that came with the reply to a Submit
  uint64_t copies = 0;               // games that were replayed
  uint64_t quarantines = 0;          // of the wrong worker
  uint64_t blocks = 0;               // by the operator
  uint64_t extensions = 0;
  uint64_t backups = 0;
  uint64_t restores = 0;
  uint64_t of_lost_epochs = 0;  // games refused because their epoch was lost
};

// REQUIRES: no SQLite connection of this process is open, and no other simulation runs in it.
SimulationReport Simulate(const SimulationOptions& options);

}  // namespace joseki::testing
