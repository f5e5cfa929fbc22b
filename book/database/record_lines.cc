#include "book/database/record_lines.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::book {
namespace {

// Calls `visit` for each of the first `plies` plies of `moves`, with a book entry for the move.
absl::Status Walk(const Rules& rules, const std::vector<Move>& moves, int plies, int line,
                  const std::function<void(int ply, book::DbPosition)>& visit) {
  ASSIGN_OR_RETURN(const auto state, rules.Start("startpos", MatchRules{}));
  const size_t end = std::min(moves.size(), static_cast<size_t>(plies));
  for (size_t i = 0; i < end; ++i) {
    book::DbPosition entry;
    entry.line = line;
    entry.packed = state->packed();
    const int ply = static_cast<int>(i) + 1;
    entry.ply = ply;
    entry.moves.emplace_back().move = moves[i];
    if (!state->Play(moves[i])) {
      return MakeProblem({.code = "illegal_move",
                          .found = absl::StrCat(rules.Text(moves[i]), " at ply ", i + 1),
                          .expected = "a legal move"});
    }
    visit(ply, std::move(entry));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AppendVariation(const Rules& rules, const book::Variation& variation, int plies,
                             std::vector<book::DbPosition>& out) {
  return Walk(rules, variation.moves, plies, variation.line, [&](int ply, book::DbPosition entry) {
    if (ply >= variation.first) out.push_back(std::move(entry));
  });
}

absl::Status AppendOpinions(const Rules& rules, const book::GameRecord& game, int plies,
                            std::vector<book::DbPosition>& out) {
  if (game.opinions.empty()) return absl::OkStatus();
  auto opinion = game.opinions.begin();
  return Walk(rules, game.moves, plies, game.line, [&](int ply, book::DbPosition entry) {
    for (; opinion != game.opinions.end() && opinion->ply <= ply; ++opinion) {
      if (opinion->ply != ply) continue;
      book::DbPosition valued = entry;
      book::DbMove& move = valued.moves.front();
      move.value = opinion->value;
      move.has_value = true;
      move.depth = opinion->depth;
      move.has_depth = true;
      move.count = 0;
      out.push_back(std::move(valued));
    }
  });
}

}  // namespace joseki::book
