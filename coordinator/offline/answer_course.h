#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/runs/run_load.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// How a run's book came to be, by equal parts of the time from its first row to its last.
struct AnswerCourse {
  struct Step {
    int64_t until_ms = 0;    // Unix
    uint64_t games = 0;      // accepted by then, faults included
    uint64_t searches = 0;   // of searches along lines, accepted by then
    uint64_t positions = 0;  // by then answered: by a search, or, of a run without, by games
    uint64_t changed = 0;  // of these, otherwise than by the largest base weight of the run's book
    uint64_t found = 0;    // of these, answered by a move that the run's book does not have
  };
  std::vector<Step> steps;  // kSteps, or none where there is no row
  static constexpr size_t kSteps = 24;
};

// Reads every game and every search of the run once, and credits the games anew where it searches
// no lines. DataLoss where rows contradict each other.
absl::StatusOr<AnswerCourse> ReadAnswerCourse(book::Store& store, const Rules& rules,
                                              const LoadedRun& run);

}  // namespace joseki::coordinator
