#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "cli/experiment/field_result.h"
#include "cli/experiment/lab.h"

// The folder's tuned books beyond those of the rows.
namespace joseki::cli {

// Every tuned book of the folder that no row has: those of other methods, budgets and numbers, and
// those of E3 and E4. A method and budget have a row without columns, and so has the file of E3 or
// E4. A database whose run is not done is no tuned book.
absl::StatusOr<std::vector<FieldRow>> OtherBooks(Laboratory& lab,
                                                 const std::vector<FieldRow>& rows);

}  // namespace joseki::cli
