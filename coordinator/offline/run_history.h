#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {

// The course of a run by its rows.
struct RunHistory {
  struct Worker {
    uint64_t games = 0;   // those that ended by a fault included
    uint64_t faults = 0;  // of games, and of searches along lines
    uint64_t nodes = 0;
    uint64_t think_ms = 0;
  };
  int64_t first_ms = 0;  // acceptance of the first and the last game, Unix
  int64_t last_ms = 0;
  std::vector<uint64_t> accepted;  // in kSteps equal parts of the time between, cumulative
  std::map<std::string, Worker> workers;
  uint64_t plies = 0;
  uint64_t first_wins = 0;  // of games without a fault
  uint64_t second_wins = 0;
  uint64_t draws = 0;
  std::vector<std::string> faults;  // the first kShownFaults, in words
  uint64_t conflicts = 0;
  uint64_t copies = 0;                  // games that a second worker repeated
  uint64_t differed = 0;                // of these, those that differed
  uint64_t poisoned = 0;                // number of lines
  std::vector<std::string> distrusted;  // workers blocked or unblocked meanwhile, in words
  static constexpr size_t kSteps = 60;
  static constexpr size_t kShownFaults = 5;
};

// Reads every game and every search along lines of the run once.
absl::StatusOr<RunHistory> ReadRunHistory(book::Store& store, const LoadedRun& run);

}  // namespace joseki::coordinator
