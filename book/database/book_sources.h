#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "engine/core/types.h"

namespace joseki::book {

// One source's counts and values of one move.
struct MoveSource {
  Move move;
  int64_t source = 0;  // its number, ascending in time
  std::string kind;
  std::string name;
  MoveCounts counts;         // of games, professional ones and others together
  std::optional<int> value;  // of a book or an engine
  int depth = 0;
  int64_t count = 0;  // of a book
};

// Everything that is known of a position's moves, by move and source. Empty if it is not in the
// book.
absl::StatusOr<std::vector<MoveSource>> SourcesOfPosition(Store& store,
                                                          const PackedPosition& position);

}  // namespace joseki::book
