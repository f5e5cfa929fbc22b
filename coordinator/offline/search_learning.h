#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

struct LearnReport {
  int64_t games = 0;           // games that were used
  int64_t without_scores = 0;  // games left out, as no score of those positions was kept
  int64_t moves = 0;           // book moves with a learnt value
};

// Search-driven learning after R. Hyatt's CRAFTY. The engine's scores in the first `positions`
// plies after the book rate the book move that led there, without the game's result. The move's
// value is the mean of these scores over all games of the run that left the book by it. Scores are
// from the side that played it; mates count as 3,000.
// The values become a source of kind "learn" of the book that the run was made from. Faults and
// games of workers that are not trusted are left out. FailedPrecondition "no_scores" if no game of
// the run has any.
absl::StatusOr<LearnReport> LearnFromSearches(book::Store& store, const Rules& rules, RunId run,
                                              int positions);

}  // namespace joseki::coordinator
