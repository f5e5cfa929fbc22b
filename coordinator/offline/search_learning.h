#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

struct LearnReport {
  int64_t games = 0;           // that something was learnt from
  int64_t without_scores = 0;  // games left out, for no score was kept of those positions
  int64_t moves = 0;           // book moves with a value learnt
};

// Search-driven learning after R. Hyatt's CRAFTY: what the engine thought of its positions in the
// first `positions` plies after the book tells of the book move that led there, before and without
// the result. Its value is the mean of these scores over all games of the run that left the book
// by it, seen from the side that played it; mates count as 3,000. The values become a source of
// kind "learn" of the book that the run was made from. Faults and games of workers that are not
// trusted are left out. FailedPrecondition "no_scores" where no game of the run has any.
absl::StatusOr<LearnReport> LearnFromSearches(book::Store& store, const Rules& rules, RunId run,
                                              int positions);

}  // namespace joseki::coordinator
