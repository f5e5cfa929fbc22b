#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "cli/context.h"

namespace joseki::cli {

// Opens a book for a command and switches `context` to the rules of its game. Errors as
// book::Store::Open; "other_game" also where --game names another one, "unknown_game" where this
// program has no rules for it.
absl::StatusOr<std::unique_ptr<book::Store>> OpenBook(Context& context, const std::string& path,
                                                      book::OpenMode mode);

}  // namespace joseki::cli
