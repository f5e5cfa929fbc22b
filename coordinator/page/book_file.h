#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/page/json.h"

namespace joseki::coordinator {

// A database whose books the page shows, and its name there.
struct BookFile {
  std::string db_path;
  std::string name;
};

// The books that can be compared: {files: [{name, runs: [{run, name}]}]}. Each file lists the runs
// that tune its book, without matches and failed ones, oldest first.
absl::StatusOr<Json> BookFilesJson(const std::vector<BookFile>& files);

}  // namespace joseki::coordinator
