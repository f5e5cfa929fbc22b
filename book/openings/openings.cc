#include "book/openings/openings.h"

#include "book/openings/ecco.h"
#include "book/openings/shogi_families.h"

namespace joseki::book {
namespace {

// The names of a game's openings: a new game is a row.
struct NamesRow {
  std::string_view game;
  std::optional<OpeningName> (*at)(const PackedPosition& packed);
};
constexpr NamesRow kNamesRows[] = {{"shogi", ShogiFamilyAt}, {"xiangqi", EccoAt}};

}  // namespace

std::optional<OpeningName> OpeningAt(std::string_view game, const PackedPosition& packed) {
  for (const NamesRow& row : kNamesRows) {
    if (row.game == game) return row.at(packed);
  }
  return std::nullopt;
}

}  // namespace joseki::book
