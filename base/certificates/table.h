#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Small tables as text files: a line a row, a space between two words. The writer excludes other
// writers.
namespace joseki::certificates {

using Words = std::vector<std::string>;

// The rows of a file, none if there is no such file; of those with `part` in their line only, if
// that is not empty. Empty lines and those that begin with # are left out, and so is a last line
// without its end: a crash has cut it off. FailedPrecondition "bad_table" with file and line for a
// row of fewer than `columns` words.
absl::StatusOr<std::vector<Words>> ReadTable(const std::string& path, size_t columns,
                                             std::string_view part = "");

// All or nothing.
absl::Status WriteTable(const std::string& path, const std::vector<Words>& rows, mode_t mode);

// Adds rows, which are on the disk when it returns; what it costs does not depend on how many there
// are already. After a crash some of the first of them may be there.
absl::Status AppendToTable(const std::string& path, const std::vector<Words>& rows, mode_t mode);

}  // namespace joseki::certificates
