#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki::book {

// A game to be written as a record.
struct WrittenGame {
  std::string_view event;  // one line of text, or empty
  std::string_view start = "startpos";
  std::span<const Move> moves;
  Ending ending;
  std::array<std::string_view, 2> players = {};  // first and second player; one line each, or empty
};

// A record format that programs of a game read. A new one needs a row of the table
// (game_writer.cc).
struct GameWriter {
  std::string_view game;
  std::string_view name;       // as options name it
  std::string_view suffix;     // of file names
  std::string_view separator;  // between two games of a file
  // The result ends with a line feed, without a separator. InvalidArgument if the start is no
  // position or a move is illegal.
  absl::StatusOr<std::string> (*write)(const WrittenGame& game) = nullptr;
};

// The default writer of a game; null if its records cannot be written.
const GameWriter* GameWriterOf(std::string_view game);
// The writer of that name; null if the game has none.
const GameWriter* GameWriterNamed(std::string_view game, std::string_view name);
// Names of the writers of all games.
std::vector<std::string> GameWriterNames();

}  // namespace joseki::book
