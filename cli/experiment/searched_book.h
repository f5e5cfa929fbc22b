#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/formats/position.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The book of run 1 of the database with the results of its searches, and no game. A book move to a
// searched position has that search's score; there, the best move found is a book move as well.
// Values are those of minimax over the whole book. Positions about which nothing is known are left
// out.
absl::StatusOr<std::vector<book::DbPosition>> SearchedBook(const Rules& rules,
                                                           const std::string& database);

}  // namespace joseki::cli
