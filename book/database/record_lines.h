#pragma once

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"
#include "book/records/record.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// Content of records beside the games, as book entries, up to ply `plies`.

// The moves of `variation` from its first own move on, each with a count of 1.
absl::Status AppendVariation(const Rules& rules, const book::Variation& variation, int plies,
                             std::vector<book::DbPosition>& out);

// The moves of `game` that an engine evaluated, with value and depth and without a count.
absl::Status AppendOpinions(const Rules& rules, const book::GameRecord& game, int plies,
                            std::vector<book::DbPosition>& out);

}  // namespace joseki::book
