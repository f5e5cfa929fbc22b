#pragma once

#include "CLI/CLI.hpp"
#include "book/records/game_filter.h"

namespace joseki::cli {

// --min-rating, --since, --until, --result and --player of a command that reads records.
void AddGameFilter(CLI::App& command, book::GameFilter& filter);

}  // namespace joseki::cli
