#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/page/book_file.h"
#include "coordinator/page/json.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Where two books of these files, one or two, answer differently, what lines come to most first:
//   {same, only_before, only_after, changed, positions: [{position, ply, reach, games, before,
//   after, after_of_before}]}
// with AnswerJson of either book's answer, and what the later book says of the earlier one's move
// (null: nothing). At most `most` positions; `changed` counts all. `before` and `after` are
// the number of a run, "0" for the book itself, or "input-R" for what run R began with; with
// "with:" before it, of the second file. `before` alone may be "input": what the other one's run
// began with. InvalidArgument "bad_field", NotFound "unknown_run".
absl::StatusOr<Json> DiffJson(const std::vector<BookFile>& files, const Rules& rules,
                              const std::string& before, const std::string& after, size_t most);

}  // namespace joseki::coordinator
