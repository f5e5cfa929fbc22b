#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "cli/context.h"

namespace joseki::cli {

// A book of another program, or game records, as a database in a temporary folder, which goes with
// this. The file itself is only read.
class ForeignBook {
 public:
  // As `joseki import` reads it; what is rejected is counted on stderr. FailedPrecondition
  // "nothing_imported" where there is nothing in it that the rules of `context` allow.
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
