#pragma once

#include <span>
#include <string>

#include "absl/status/status.h"
#include "cli/context.h"

namespace joseki::cli {

// The context's rules are from now on those of the first of `names` that is a database: FILE, or
// FILE with what may stand behind # or @. Where none is, or --game says it, they stay.
absl::Status UseGameOfBooks(Context& context, std::span<const std::string> names);

}  // namespace joseki::cli
