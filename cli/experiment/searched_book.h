#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/formats/position.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The book of run 1 of the database with what its searches said, and no game: a book move that
// leads to a searched position is worth what was found there, there the best move found is a book
// move too, and the values are those of minimax over all of it. Positions where nothing is known
// are left out.
absl::StatusOr<std::vector<book::DbPosition>> SearchedBook(const Rules& rules,
                                                           const std::string& database);

}  // namespace joseki::cli
