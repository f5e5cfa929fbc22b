#include "book/records/game_writer.h"

#include "book/records/csa_writer.h"
#include "book/records/kif_writer.h"
#include "book/records/line_writer.h"
#include "book/records/pgn_writer.h"

namespace joseki::book {
namespace {

absl::StatusOr<std::string> WriteIccs(const WrittenGame& game) { return WritePgn(game); }

// Table of the writers; the default of each game first.
constexpr GameWriter kGameWriters[] = {
    {"shogi", "csa", ".csa", "/\n", WriteCsa},       {"shogi", "kif", ".kif", "\n", WriteKif},
    {"shogi", "usi", ".usi", "", WriteUsiLine},      {"xiangqi", "pgn", ".pgn", "", WriteIccs},
    {"xiangqi", "ucci", ".ucci", "", WriteUcciLine},
};

}  // namespace

const GameWriter* GameWriterOf(std::string_view game) {
  for (const GameWriter& row : kGameWriters) {
    if (row.game == game) return &row;
  }
  return nullptr;
}

const GameWriter* GameWriterNamed(std::string_view game, std::string_view name) {
  for (const GameWriter& row : kGameWriters) {
    if (row.game == game && row.name == name) return &row;
  }
  return nullptr;
}

std::vector<std::string> GameWriterNames() {
  std::vector<std::string> names;
  for (const GameWriter& row : kGameWriters) names.emplace_back(row.name);
  return names;
}

}  // namespace joseki::book
