#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/page/json.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Where two books of one database answer differently, what lines come to most first:
//   {same, only_before, only_after, changed, positions: [{position, ply, reach, games, before,
//   after, after_of_before}]}
// with AnswerJson of either book's answer, and what the later book says of the earlier one's move
// (null: nothing). At most `most` positions; `changed` counts all. `before` and `after` name a run
// by its number, "0" the book itself, and "input", of `before` alone, what the other one's run
// began with. InvalidArgument "bad_field", NotFound "unknown_run".
absl::StatusOr<Json> DiffJson(book::Store& store, const Rules& rules, const std::string& before,
                              const std::string& after, size_t most);

}  // namespace joseki::coordinator
