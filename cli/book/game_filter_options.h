#pragma once

#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "book/records/game_filter.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// What a command line says of the games that are wanted; sides have the words of the book's game,
// which is not known yet.
struct GameFilterArguments {
  book::GameFilter filter;
  std::string result;
};

// --min-rating, --since, --until, --result and --player of a command that reads records.
void AddGameFilter(CLI::App& command, GameFilterArguments& arguments);

// InvalidArgument "usage" where the game has no side of that word.
absl::StatusOr<book::GameFilter> FilterOf(const GameFilterArguments& arguments, const Rules& rules);

}  // namespace joseki::cli
