#include "book/records/game_writer.h"

#include "book/records/csa_writer.h"
#include "book/records/pgn_writer.h"

namespace joseki::book {
namespace {

absl::StatusOr<std::string> WriteIccs(const WrittenGame& game) { return WritePgn(game); }

constexpr GameWriter kGameWriters[] = {
    {.game = "shogi", .suffix = ".csa", .separator = "/\n", .write = WriteCsa},
    {.game = "xiangqi", .suffix = ".pgn", .separator = "", .write = WriteIccs},
};

}  // namespace

const GameWriter* GameWriterOf(std::string_view game) {
  for (const GameWriter& row : kGameWriters) {
    if (row.game == game) return &row;
  }
  return nullptr;
}

}  // namespace joseki::book
