#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/runs/run_load.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The development of a run's book, in equal parts of the time from its first row to its last.
struct AnswerCourse {
  struct Step {
    int64_t until_ms = 0;    // Unix
    uint64_t games = 0;      // accepted so far, faults included
    uint64_t searches = 0;   // searches along lines accepted so far
    uint64_t positions = 0;  // answered so far: by a search, or where none has been, by games
    uint64_t changed = 0;    // of these, with another answer than the largest base weight of the
                             // run's book
    uint64_t found = 0;      // of these, answered by a move that the run's book does not have
  };
  std::vector<Step> steps;  // kSteps of them, or none without a row
  static constexpr size_t kSteps = 24;
};

// Reads every game and every search of the run once, and credits the games once more. DataLoss
// where rows contradict each other.
absl::StatusOr<AnswerCourse> ReadAnswerCourse(book::Store& store, const Rules& rules,
                                              const LoadedRun& run);

}  // namespace joseki::coordinator
