#pragma once

#include "CLI/CLI.hpp"
#include "cli/context.h"

namespace joseki::cli {

// Adds a command's --moves option: the notation in which it writes moves.
void AddMovesOption(CLI::App& command, Context& context);

}  // namespace joseki::cli
