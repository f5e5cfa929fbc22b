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

// The counts and values that one source has of one move.
struct MoveSource {
  Move move;
  int64_t source = 0;  // the source's number; ascends with time
  std::string kind;
  std::string name;
  MoveCounts counts;         // of games by professionals and others together
  std::optional<int> value;  // from a book or an engine
  int depth = 0;
  int64_t count = 0;  // how often a book says that the move was played
};

// All that is known of a position's moves, by move and source. Empty if the book lacks the
// position.
absl::StatusOr<std::vector<MoveSource>> SourcesOfPosition(Store& store,
                                                          const PackedPosition& position);

}  // namespace joseki::book
