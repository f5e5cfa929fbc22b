#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "engine/core/types.h"

namespace joseki::book {

using MoveOfPosition = std::pair<PackedPosition, Move>;

// The moves that the user added by hand.
absl::StatusOr<std::set<MoveOfPosition>> EditedMoves(Store& store);

// Deletes moves with their counts and values of all sources, and positions left without a move, in
// one transaction. Returns the number of positions removed.
absl::StatusOr<int64_t> DeleteMoves(Store& store, const std::vector<MoveOfPosition>& moves);

}  // namespace joseki::book
