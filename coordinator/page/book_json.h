#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/page/json.h"
#include "engine/core/rules.h"

// The page's view of the book itself, which no run has changed.
namespace joseki::coordinator {

// {game, positions, moves, games, sources: [{kind, name, games, rejected, added_at}]}, the newest
// sources last, at most 12 of them, of sources_all.
absl::StatusOr<Json> BookJson(book::Store& store);

// A position as PositionJson has one of a run, best move first: the games are those that were
// imported, the weight is the move's share; beside it `value` and `depth` (null: no book said any)
// and `count`. NotFound "not_in_book".
absl::StatusOr<Json> BookPositionJson(book::Store& store, const Rules& rules,
                                      const std::string& position);

// Gives each move of a run's position the `value`, `depth` and `count` that the book has for it.
absl::Status AddImported(book::Store& store, const Rules& rules, Json& position);

// {code, name, english} of exactly this position; null: it has no name.
Json OpeningJson(const Rules& rules, const PackedPosition& packed);

}  // namespace joseki::coordinator
