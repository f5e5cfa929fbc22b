#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/page/book_file.h"
#include "coordinator/page/json.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The positions where two books of one or two files have different answers, largest reach first:
//   {same, only_before, only_after, changed, positions: [{position, ply, reach, games, before,
//   after, after_of_before}]}
// `before` and `after` of a position are the books' answers by AnswerJson; `after_of_before` is the
// later book's entry for the earlier answer, or null. At most `most` positions are listed;
// `changed` counts all.
//
// The arguments `before` and `after` name books: the number of a run, "0" for the book itself, or
// "input-R" for the input of run R. The prefix "with:" selects the second file. `before` alone may
// be "input": the input of the other book's run. InvalidArgument "bad_field", NotFound
// "unknown_run".
absl::StatusOr<Json> DiffJson(const std::vector<BookFile>& files, const Rules& rules,
                              const std::string& before, const std::string& after, size_t most);

}  // namespace joseki::coordinator
