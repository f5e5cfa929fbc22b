#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/graph.h"
#include "coordinator/model/messages.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The specification `spec` with half of its nodes for searches along its lines.
RunSpec WithLineSearches(RunSpec spec);

// Growth of a run's book by searches.
struct GrownBook {
  size_t positions = 0;  // known ones, of both sides
  size_t answers = 0;    // positions with an answer
  uint64_t moves = 0;    // candidates that the input book lacks
};

// Adds `searches` answers, replies and trials along the lines of run 1 with their leases, in one
// transaction. Their order is that in which a coordinator would ask for them, and they pass its
// intake. Moves and scores are noise: each position knows a few moves, so lines part and the book
// grows as in a long run. REQUIRES: the run's row was made from WithLineSearches.
absl::StatusOr<GrownBook> FillSearches(const Rules& rules, book::Store& store, RunStore& rows,
                                       std::shared_ptr<const book::Graph> graph,
                                       const RunSpec& spec, uint64_t searches);

}  // namespace joseki::coordinator
