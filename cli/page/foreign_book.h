#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "cli/context.h"

namespace joseki::cli {

// A book of another program, or game records, imported into a database in a temporary folder. The
// destructor deletes the folder. The file itself is only read.
class ForeignBook {
 public:
  // Reads the file as `joseki import` does; the number of rejected entries goes to stderr.
  // FailedPrecondition "nothing_imported" where the rules of `context` allow nothing in it.
  static absl::StatusOr<std::unique_ptr<ForeignBook>> Import(const std::string& file,
                                                             Context& context);
  ~ForeignBook();
  ForeignBook(const ForeignBook&) = delete;
  ForeignBook& operator=(const ForeignBook&) = delete;

  std::string database() const { return folder_ + "/book.sqlite"; }

 private:
  explicit ForeignBook(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

}  // namespace joseki::cli
