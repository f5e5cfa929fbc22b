#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"

namespace joseki::cli {

// A book or a run of it: FILE, or FILE#R for run R of a database; R is 0 for the book itself.
struct NamedRun {
  std::string file;
  std::optional<coordinator::RunId> run;
};

NamedRun NamedRunOf(const std::string& text);

// The newest run that tunes the book and has not failed, finished runs included; 0 if there is
// none.
absl::StatusOr<coordinator::RunId> NewestRun(book::Store& store);

}  // namespace joseki::cli
