#pragma once

#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "book/records/game_filter.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The command line's filter of games. A side is kept as a word: the book's game is not known yet.
struct GameFilterArguments {
  book::GameFilter filter;
  std::string result;
};

// Adds --min-rating, --since, --until, --result and --player to a command that reads records.
void AddGameFilter(CLI::App& command, GameFilterArguments& arguments);

// The filter for a game. InvalidArgument "usage" where the game has no side of that name.
absl::StatusOr<book::GameFilter> FilterOf(const GameFilterArguments& arguments, const Rules& rules);

}  // namespace joseki::cli
