#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// A notation in which people write the moves of a game.
struct MoveNotation {
  std::string_view game;
  std::string_view name;      // as in options: "usi", "ja", "en"; "iccs", "wxf", "zh"
  std::string_view language;  // language whose readers expect it ("en", "ja"), or empty
  // `before`: the move that led to the position; Move() if none. REQUIRES: a position of the game,
  // and a legal move in it.
  std::string (*write)(const PackedPosition& position, Move move, Move before);
};

// All notations. A new one needs a row of the table (move_notation.cc).
std::span<const MoveNotation> MoveNotations();
// The notation of that name; null if the game has none.
const MoveNotation* NotationNamed(std::string_view game, std::string_view name);
// The default notation for readers of a language ("en", "ja"). REQUIRES: the table has the game.
const MoveNotation& UsualNotation(std::string_view game, std::string_view language);

// The legal move that `text` names, in any notation of the game or of its engines. `before` as in
// MoveNotation. InvalidArgument "malformed_move", "illegal_move", "ambiguous_move" or
// "unknown_game". REQUIRES: a position of the game.
absl::StatusOr<Move> ReadMove(std::string_view game, const PackedPosition& position,
                              std::string_view text, Move before);

// True if a word has the form of a move, legal or not, in some notation of the game. False if it
// looks like the beginning of a position.
bool IsMoveText(const Rules& rules, std::string_view word);

}  // namespace joseki::book
