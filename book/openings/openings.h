#pragma once

#include <optional>
#include <string_view>

#include "engine/core/types.h"

namespace joseki::book {

// Players' name of a position of an opening. Texts are UTF-8 and live as long as the program.
struct OpeningName {
  std::string_view code;     // of a classification: "B00" of ECCO; empty: of none
  std::string_view name;     // in the language that it was named in
  std::string_view english;  // the same in English
};

// Xiangqi: the name of exactly this position, or of it left and right exchanged. Shogi: the family
// that its placement belongs to. Nullopt if it has none, or the game has no names.
std::optional<OpeningName> OpeningAt(std::string_view game, const PackedPosition& packed);

// The moves from the start position, as the game's engines write them, with blanks between, that
// make the opening of this code or name in some language (letters of either case). Nullopt where no
// opening is called so, where several positions are, or where the game's openings are families of
// positions.
std::optional<std::string_view> LineOfOpening(std::string_view game, std::string_view called);

}  // namespace joseki::book
