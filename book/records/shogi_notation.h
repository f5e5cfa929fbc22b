#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// The notations in which people write shogi moves:
//   USI       7g7f, 8h2b+, P*5e
//   Japanese  ７六歩, 同銀左上, ２二角成, ５五角打: with just enough of the origin to distinguish
//             the piece. Also read with a mark of the side (▲ ☗ △ ☖ ▽), and in KIF's form
//             ７六歩(77)
//   English   P-7f, Bx3c+, R*5e, N-7g= (declines to promote), G4i-5h where several could go there
enum class ShogiNotation : uint8_t { kUsi, kJapanese, kEnglish };

// The legal move that `text` names, in any of the notations. `last_to` is the square of 同;
// kNoSquare if no move was played before. InvalidArgument "malformed_move", "illegal_move" or
// "ambiguous_move".
absl::StatusOr<Move> ParseNotation(const shogi::Position& position, std::string_view text,
                                   shogi::Square last_to);

// The move in a form that ParseNotation reads, without a mark. REQUIRES: the move is legal.
std::string NotationOf(const shogi::Position& position, Move move, ShogiNotation notation,
                       shogi::Square last_to);

}  // namespace joseki::book
