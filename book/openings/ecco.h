#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "book/openings/openings.h"
#include "engine/core/types.h"

namespace joseki::book {

// The openings of xiangqi by ECCO, the encyclopaedia's classification of 2004: of its 264 codes
// those that a sequence of moves defines, without leave to play others in between. A code whose
// definition names several sequences has a row for each. The English names are ours.
struct EccoRow {
  std::string_view code;
  std::string_view name;  // Chinese
  std::string_view english;
  std::string_view moves;  // UCCI, from the start position
};
std::span<const EccoRow> EccoRows();

// The opening whose moves, in whichever order, lead to this position or to its mirror image.
std::optional<OpeningName> EccoAt(const PackedPosition& packed);

// The moves of the one row that has this code or name; of the names any letters' case.
std::optional<std::string_view> EccoLine(std::string_view called);

}  // namespace joseki::book
