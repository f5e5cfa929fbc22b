#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/weighing.h"

namespace joseki::book {

struct CountedBookOptions {
  int plies = 45;                           // last ply whose positions are taken
  std::optional<book::NoiseFilter> filter;  // applied to the table's counts
  std::function<void(const absl::Status&)> on_reject;
};

struct CountedBookReport {
  int64_t positions = 0;  // of the book after the import
  int64_t moves = 0;      // of the book after the import
  int64_t unplayed = 0;   // moves skipped: no game continued with them
  int64_t filtered = 0;   // moves skipped by the filter
  int64_t late = 0;       // moves skipped by `plies`
  int64_t rejected = 0;   // lines of the table that were rejected
};

// Imports a table of counts (book/formats/counted_moves.h) as one source, as if its games had been
// imported. It substitutes for games that are not available. All or nothing; "nothing_imported" if
// no move is left.
absl::StatusOr<CountedBookReport> ImportCounts(Store& store, std::string_view name,
                                               std::string_view text,
                                               const CountedBookOptions& options);

}  // namespace joseki::book
