#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/problem.h"

namespace joseki {

// What a command does for one game.
template <typename Function>
struct ByGame {
  std::string_view game;
  Function function;
};

// The one of `game`. InvalidArgument "unknown_game", which names those that the command knows.
template <typename Function, size_t n>
absl::StatusOr<Function> Chosen(std::string_view game, const ByGame<Function> (&table)[n]) {
  std::string known;
  for (const ByGame<Function>& row : table) {
    if (row.game == game) return row.function;
    if (!known.empty()) known += " or ";
    known += row.game;
  }
  return MakeProblem({.code = "unknown_game", .found = Quote(game), .expected = known});
}

}  // namespace joseki
