#pragma once

#include <span>
#include <string>

#include "absl/status/status.h"
#include "cli/context.h"

namespace joseki::cli {

// Switches the context's rules to the game of the first of `names` that is a book or has game
// records: FILE, or FILE with a suffix behind # or @. They stay where there is none, or --game
// names the game.
absl::Status UseGameOfBooks(Context& context, std::span<const std::string> names);

}  // namespace joseki::cli
