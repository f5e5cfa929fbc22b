#include "book/openings/openings.h"

#include "book/openings/ecco.h"
#include "book/openings/shogi_families.h"

namespace joseki::book {
namespace {

// Table of the names of each game's openings; a new game needs a row.
struct NamesRow {
  std::string_view game;
  std::optional<OpeningName> (*at)(const PackedPosition& packed);
  // Null: the names are of families.
  std::optional<std::string_view> (*line)(std::string_view called);
  bool (*is_code)(std::string_view text);  // null: there are no codes
};
constexpr NamesRow kNamesRows[] = {{"shogi", ShogiFamilyAt, nullptr, nullptr},
                                   {"xiangqi", EccoAt, EccoLine, IsEccoCode}};

}  // namespace

std::optional<OpeningName> OpeningAt(std::string_view game, const PackedPosition& packed) {
  for (const NamesRow& row : kNamesRows) {
    if (row.game == game) return row.at(packed);
  }
  return std::nullopt;
}

std::optional<std::string_view> LineOfOpening(std::string_view game, std::string_view called) {
  for (const NamesRow& row : kNamesRows) {
    if (row.game == game && row.line != nullptr) return row.line(called);
  }
  return std::nullopt;
}

bool IsOpeningCode(std::string_view game, std::string_view text) {
  for (const NamesRow& row : kNamesRows) {
    if (row.game == game && row.is_code != nullptr) return row.is_code(text);
  }
  return false;
}

}  // namespace joseki::book
