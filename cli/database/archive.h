#pragma once

#include "CLI/CLI.hpp"
#include "cli/context.h"

namespace joseki::cli {

// The subcommands of `joseki archive`.
void AddArchive(CLI::App& app, Context& context);

}  // namespace joseki::cli
