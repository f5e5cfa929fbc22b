#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/page/json.h"

namespace joseki::coordinator {

// A database whose books the page shows, and what the page calls it.
struct BookFile {
  std::string db_path;
  std::string name;
};

// What there is to compare: {files: [{name, runs: [{run, name}]}]} of each file the runs that tune
// its book, matches and failed ones left out, the oldest first.
absl::StatusOr<Json> BookFilesJson(const std::vector<BookFile>& files);

}  // namespace joseki::coordinator
