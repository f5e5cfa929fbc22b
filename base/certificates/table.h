#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Small tables as text files: a row per line, words separated by a space. The caller excludes other
// writers.
namespace joseki::certificates {

using Words = std::vector<std::string>;

// The rows of a file; none if there is no such file. If `part` is not empty, only rows whose line
// contains it. Skipped are empty lines, lines that begin with #, and a last line without its line
// feed, as a crash leaves it. FailedPrecondition "bad_table" with file and line for a row of fewer
// than `columns` words.
absl::StatusOr<std::vector<Words>> ReadTable(const std::string& path, size_t columns,
                                             std::string_view part = "");

// Writes a table, all or nothing.
absl::Status WriteTable(const std::string& path, const std::vector<Words>& rows, mode_t mode);

// Appends rows and syncs them; the cost does not depend on the size of the table. After a crash
// some of the first of them may be there.
absl::Status AppendToTable(const std::string& path, const std::vector<Words>& rows, mode_t mode);

}  // namespace joseki::certificates
