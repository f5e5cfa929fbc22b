#include "book/database/counted_book.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_import.h"
#include "book/formats/counted_moves.h"
#include "nlohmann/json.hpp"

namespace joseki::book {
namespace {

struct Position {
  int ply = 0;
  std::vector<book::CountedMove> moves;
};

std::string OptionsJson(const CountedBookOptions& options) {
  nlohmann::ordered_json json;
  json["plies"] = options.plies;
  if (options.filter) {
    json["filter"] = absl::StrCat(options.filter->position_over, "/", options.filter->move_under);
  }
  return json.dump();
}

// Removes the moves that the options leave out, and counts them.
void Choose(const CountedBookOptions& options, Position& position, CountedBookReport& report) {
  const auto leave_out = [&](int64_t& count, const auto& which) {
    count += static_cast<int64_t>(std::erase_if(position.moves, which));
  };
  if (position.ply > options.plies) {
    leave_out(report.late, [](const book::CountedMove&) { return true; });
  }
  leave_out(report.unplayed, [](const book::CountedMove& move) { return move.games() == 0; });
  if (!options.filter) return;
  int64_t seen = 0;
  for (const book::CountedMove& move : position.moves) seen += move.games();
  leave_out(report.filtered, [&](const book::CountedMove& move) {
    return !options.filter->Keeps(seen, move.games());
  });
}

}  // namespace

absl::StatusOr<CountedBookReport> ImportCounts(Store& store, std::string_view name,
                                               std::string_view text,
                                               const CountedBookOptions& options) {
  CountedBookReport report;
  std::map<PackedPosition, Position> positions;
  RETURN_IF_ERROR(book::ReadCountedMoves(
      text, name,
      [&](const book::CountedMove& move) {
        Position& position = positions[move.packed];
        if (position.ply == 0 || move.ply < position.ply) position.ply = move.ply;
        position.moves.push_back(move);
      },
      [&](const absl::Status& problem) {
        ++report.rejected;
        if (options.on_reject) options.on_reject(problem);
      }));
  BookImport import(store, "games", std::string(name), OptionsJson(options));
  for (auto& [packed, position] : positions) {
    Choose(options, position, report);
    for (const book::CountedMove& move : position.moves) {
      RETURN_IF_ERROR(import.AddPlayed(packed, position.ply, move.move, /*professional=*/false,
                                       {move.games(), move.wins, 0, move.losses}));
      ++report.moves;
    }
    if (!position.moves.empty()) ++report.positions;
  }
  if (report.moves == 0) {
    return MakeProblem({.code = "nothing_imported",
                        .file = std::string(name),
                        .found = absl::StrCat(report.rejected, " lines rejected, no move left"),
                        .expected = "at least one move with games"});
  }
  RETURN_IF_ERROR(import.Commit(0, report.rejected).status());
  return report;
}

}  // namespace joseki::book
