#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

struct SearchExpansionReport {
  int64_t searches = 0;       // that a move was taken from
  int64_t left_out = 0;       // without a move or a score, or by a worker that is not trusted
  int64_t new_positions = 0;  // in the book
  int64_t new_moves = 0;
};

// Grows the book by what workers have searched for a run with evaluations: those are searches of
// the positions that its book's moves lead to, the ends of its lines among them. The best move
// there is taken into the book with its value, as a source of kind "expand"; of several answers for
// a position the first one stands. A further run on the grown book has the next ply searched.
// FailedPrecondition "no_searches" where the run has none.
absl::StatusOr<SearchExpansionReport> ExpandBySearches(book::Store& store, const Rules& rules,
                                                       RunId run);

}  // namespace joseki::coordinator
