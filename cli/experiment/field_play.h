#pragma once

#include "absl/status/status.h"
#include "cli/experiment/field_result.h"
#include "cli/experiment/lab.h"

namespace joseki::cli {

// Makes the books of the rows and plays them in the columns, the first book of each row first, so
// that every mean is there early and gets better; then the league, and how far books agree.
// Cancelled where it was broken off: what is there by then is in the result. To show, a book that
// is not made is passed over.
absl::Status PlayField(Laboratory& lab, FieldResult& result);

}  // namespace joseki::cli
