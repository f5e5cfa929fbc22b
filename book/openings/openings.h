#pragma once

#include <optional>
#include <string_view>

#include "engine/core/types.h"

namespace joseki::book {

// Name of an opening position. Texts are UTF-8 and live as long as the program.
struct OpeningName {
  std::string_view code;     // in a classification, such as "B00" of ECCO; empty: none
  std::string_view name;     // in the original language
  std::string_view english;  // English name
};

// The name of a position. Xiangqi: of exactly this position or its mirror image. Shogi: the family
// that its placement belongs to. Nullopt if it has no name, or the game has none.
std::optional<OpeningName> OpeningAt(std::string_view game, const PackedPosition& packed);

// The moves from the start position that make the opening with this code or name (in any language,
// case-insensitive). They are in the form of the game's engines, separated by blanks. Nullopt if no
// opening has that name, if several positions have it, or if the game's openings are families of
// positions.
std::optional<std::string_view> LineOfOpening(std::string_view game, std::string_view called);

// Whether a text has the form of an opening's code in this game, such as "B00", whatever opening
// has it. False where openings have no codes.
bool IsOpeningCode(std::string_view game, std::string_view text);

}  // namespace joseki::book
