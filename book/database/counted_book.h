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
  int plies = 45;                           // positions up to this ply
  std::optional<book::NoiseFilter> filter;  // on the table's counts
  std::function<void(const absl::Status&)> on_reject;
};

struct CountedBookReport {
  int64_t positions = 0;  // in the book now
  int64_t moves = 0;      // in the book now
  int64_t unplayed = 0;   // moves left out: no game went on with them
  int64_t filtered = 0;   // moves left out by the filter
  int64_t late = 0;       // moves left out by the plies
  int64_t rejected = 0;   // lines left out
};

// Puts a table of counts (book/formats/counted_moves.h) into the database as one source, as if its
// games had been imported: a substitute for games that are not at hand. All of it or nothing; an
// error ("nothing_imported") if no move is left.
absl::StatusOr<CountedBookReport> ImportCounts(Store& store, std::string_view name,
                                               std::string_view text,
                                               const CountedBookOptions& options);

}  // namespace joseki::book
