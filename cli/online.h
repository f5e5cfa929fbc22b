#pragma once

#include <string>

#include "CLI/CLI.hpp"
#include "cli/context.h"
#include "coordinator/messages.h"

// What the commands that speak to a coordinator share.
namespace joseki::cli {

// A command's --coordinator option.
CLI::Option* AddCoordinatorOption(CLI::App& command, std::string& address);

// One run as the JSON of `joseki status` shows it.
Json RunJson(const coordinator::RunStatus& run, const coordinator::ClusterStatus& cluster);

// One run in one line: "run 3 "night": running, stage 2 of 5, 440 of 1000 games (44 %), ...".
std::string RunLine(const coordinator::RunStatus& run);

}  // namespace joseki::cli
