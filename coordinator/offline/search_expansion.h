#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

struct SearchExpansionReport {
  int64_t searches = 0;       // whose move was taken
  int64_t left_out = 0;       // without a move or a score, or by a worker that is not trusted
  int64_t new_positions = 0;  // in the book
  int64_t new_moves = 0;
};

// Grows the book by the searches of a run with evaluations. These cover the positions that the
// book's moves lead to, the ends of its lines included. The best move found there is added with its
// value, as a source of kind "expand"; of several results for a position the first counts. A
// further run on the grown book searches the next ply. FailedPrecondition "no_searches" if the run
// has none.
absl::StatusOr<SearchExpansionReport> ExpandBySearches(book::Store& store, const Rules& rules,
                                                       RunId run);

}  // namespace joseki::coordinator
