#pragma once

#include "absl/status/status.h"
#include "cli/experiment/field_result.h"
#include "cli/experiment/lab.h"

namespace joseki::cli {

// Makes the books of the rows and plays them in the columns, then the league; at the end compares
// the books' answers. The first book of each row comes first, so that all means exist early and
// improve.
// Cancelled if it is interrupted: `result` holds what is done by then. Under --show, books that are
// not made are skipped.
absl::Status PlayField(Laboratory& lab, FieldResult& result);

}  // namespace joseki::cli
