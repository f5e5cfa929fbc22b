#pragma once

#include "CLI/CLI.hpp"
#include "cli/context.h"

namespace joseki::cli {

// `joseki experiment`, as the other commands are added (cli/commands.h).
void AddExperiment(CLI::App& app, Context& context);

}  // namespace joseki::cli
