#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/page/json.h"
#include "engine/core/rules.h"

// The page's view of the book itself, unchanged by runs.
namespace joseki::coordinator {

// {game, positions, moves, games, sources: [{kind, name, games, rejected, added_at}], sources_all}:
// at most 12 sources, newest last; sources_all counts all.
absl::StatusOr<Json> BookJson(book::Store& store);

// A position of the book in the form of PositionJson, best move first. Games are the imported ones,
// and the weight is the move's share. Each move also has `games`, with those without a result,
// `value` and `depth` (null: unknown) and `count`. NotFound "not_in_book".
absl::StatusOr<Json> BookPositionJson(book::Store& store, const Rules& rules,
                                      const std::string& position);

// Adds the book's `value`, `depth` and `count` to each move of a run's position.
absl::Status AddImported(book::Store& store, const Rules& rules, Json& position);

// {code, name, english} of exactly this position; null: it has no name.
Json OpeningJson(const Rules& rules, const PackedPosition& packed);

}  // namespace joseki::coordinator
