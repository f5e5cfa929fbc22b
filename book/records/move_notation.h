#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// A way in which the moves of a game are written for people.
struct MoveNotation {
  std::string_view game;
  std::string_view name;      // as options name it: "usi", "ja", "en"; "iccs", "wxf", "zh"
  std::string_view language;  // whose readers expect it ("en", "ja"), or empty
  // `before`: the move that led to the position, or none. REQUIRES: a position of the game, and a
  // move that is legal in it.
  std::string (*write)(const PackedPosition& position, Move move, Move before);
};

// A row each; a new one is a row of the table (move_notation.cc).
std::span<const MoveNotation> MoveNotations();
// Null if the game has none of that name.
const MoveNotation* NotationNamed(std::string_view game, std::string_view name);
// The usual notation of readers of a language ("en", "ja"). REQUIRES: a game that the table has.
const MoveNotation& UsualNotation(std::string_view game, std::string_view language);

// The legal move that `text` names, in whichever notation of the game, its engines' too. `before`
// as above. InvalidArgument "malformed_move", "illegal_move" or "ambiguous_move", and
// "unknown_game". REQUIRES: a position of the game.
absl::StatusOr<Move> ReadMove(std::string_view game, const PackedPosition& position,
                              std::string_view text, Move before);

// True if a word has the form of a move in some notation of the game, legal or not, rather than
// that of the beginning of a position.
bool IsMoveText(const Rules& rules, std::string_view word);

}  // namespace joseki::book
