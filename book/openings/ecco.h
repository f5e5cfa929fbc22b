#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "book/openings/openings.h"
#include "engine/core/types.h"

namespace joseki::book {

// Openings of xiangqi by ECCO, the encyclopaedia's classification of 2004. Of its 264 codes these
// are the ones that a fixed sequence of moves defines, with no other moves in between. A code
// defined by several sequences has a row for each. The English names are ours.
struct EccoRow {
  std::string_view code;
  std::string_view name;  // Chinese
  std::string_view english;
  std::string_view moves;  // UCCI, from the start position
};
std::span<const EccoRow> EccoRows();

// The opening whose moves, in any order, lead to this position or to its mirror image.
std::optional<OpeningName> EccoAt(const PackedPosition& packed);

// The moves of the only row with this code or name; names are case-insensitive.
std::optional<std::string_view> EccoLine(std::string_view called);

// Whether the text is a letter and two digits.
bool IsEccoCode(std::string_view text);

}  // namespace joseki::book
