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
  std::array<std::string_view, 2> players = {};  // the first mover, and the second; one line or
                                                 // empty
};

// A record that programs of a game read. A new one is a row of the table (game_writer.cc).
struct GameWriter {
  std::string_view game;
  std::string_view name;       // as options name it
  std::string_view suffix;     // of such files
  std::string_view separator;  // between two games of a file
  // Ends with a line feed, without a separator. InvalidArgument where the start is no position or a
  // move is not legal.
  absl::StatusOr<std::string> (*write)(const WrittenGame& game) = nullptr;
};

// The usual one of a game; null where records of that game cannot be written.
const GameWriter* GameWriterOf(std::string_view game);
// Null where the game has none of that name.
const GameWriter* GameWriterNamed(std::string_view game, std::string_view name);
// Names of the writers of all games.
std::vector<std::string> GameWriterNames();

}  // namespace joseki::book
