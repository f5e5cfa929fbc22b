#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The argument of a command that names a position.
void AddPositionArgument(CLI::App& command, std::vector<std::string>& words);

// The game that a position argument stands for:
// - "startpos", or no words: the start position;
// - a position's text (SFEN or FEN), with or without "sfen" or "fen" before it;
// - either of these followed by "moves" and moves, or moves alone, from the start position;
// - an opening's code or name.
// Moves are in any notation of the game (book/records/move_notation.h). The words may come as one
// quoted argument or as many; an error is at `where`.
absl::StatusOr<std::unique_ptr<GameState>> StateOf(const Rules& rules,
                                                   const std::vector<std::string>& words,
                                                   std::string_view where = "position");

// NotFound "not_in_book": the book has nothing at the position that the words name.
absl::Status NotInBook(const std::string& file, const std::vector<std::string>& words);

// The ply of `state` by its text: 1 before the first move of a game.
int PlyOf(const GameState& state);

}  // namespace joseki::cli
