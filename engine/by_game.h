#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/problem.h"

namespace joseki {

// The implementation of a command for one game.
template <typename Function>
struct ByGame {
  std::string_view game;
  Function function;
};

// The entry of `game`. InvalidArgument "unknown_game" that lists the games of the table.
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
