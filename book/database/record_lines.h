#pragma once

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"
#include "book/records/record.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// Contents of records beside games, as entries of a book; of the first `plies` plies.

// The moves of `variation` from its first own one on, each counted once.
absl::Status AppendVariation(const Rules& rules, const book::Variation& variation, int plies,
                             std::vector<book::DbPosition>& out);

// The moves of `game` that an engine gave a value, with it and its depth, and no count.
absl::Status AppendOpinions(const Rules& rules, const book::GameRecord& game, int plies,
                            std::vector<book::DbPosition>& out);

}  // namespace joseki::book
