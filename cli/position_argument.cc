#include "cli/position_argument.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/openings/openings.h"
#include "book/records/move_notation.h"

namespace joseki::cli {
namespace {

// Whether a text that is no position was meant as one: a board has ranks.
bool IsPosition(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.starts_with("startpos");
}

// The error of the text as an opening's code, or else as the first move of a game.
absl::Status MoveProblem(const Rules& rules, std::string_view text) {
  if (book::IsOpeningCode(rules.game(), text)) {
    return MakeProblem({.code = "unknown_opening",
                        .found = Quote(text),
                        .expected = "the code of one opening, such as B00"});
  }
  const std::string_view word = text.substr(0, text.find(' '));
  const std::unique_ptr<GameState> begin = rules.Start("startpos", MatchRules{}).value();
  const absl::StatusOr<Move> move = book::ReadMove(rules.game(), begin->packed(), word, Move());
  if (!move.ok()) return move.status();
  return MakeProblem({.code = "no_position",
                      .found = Quote(text),
                      .expected = "startpos or an SFEN or FEN, then perhaps moves"});
}

}  // namespace

void AddPositionArgument(CLI::App& command, std::vector<std::string>& words) {
  command.add_option(
      "position", words,
      "moves from the start position (7g7f, ７六歩 or P-7f; of xiangqi h2e2, C2=5 or "
      "炮二平五); or startpos (the default), an SFEN or a FEN, or of xiangqi an opening's code or "
      "name (B00), then perhaps \"moves\" and moves");
}

absl::StatusOr<std::unique_ptr<GameState>> StateOf(const Rules& rules,
                                                   const std::vector<std::string>& words,
                                                   std::string_view where) {
  std::vector<std::string> parts =
      absl::StrSplit(absl::StrJoin(words, " "), ' ', absl::SkipWhitespace());
  if (!parts.empty() && parts[0] == "position") parts.erase(parts.begin());
  if (!parts.empty() && (parts[0] == "sfen" || parts[0] == "fen")) parts.erase(parts.begin());
  // No words mean the start position; empty words are an error, most likely a script's.
  if (parts.empty() && !words.empty()) {
    return MakeProblem({.code = "no_position",
                        .file = std::string(where),
                        .found = Quote(absl::StrJoin(words, " ")),
                        .expected = "startpos or an SFEN or FEN, then perhaps moves"});
  }
  const auto moves = std::find(parts.begin(), parts.end(), "moves");
  const bool from_start =
      moves == parts.begin() || (!parts.empty() && book::IsMoveText(rules, parts.front()));
  const auto first = from_start && moves == parts.end() ? parts.begin() : moves;
  std::string start = from_start ? "startpos" : absl::StrJoin(parts.begin(), first, " ");
  std::vector<std::string> played;
  if (const auto line = book::LineOfOpening(rules.game(), start)) {
    played = absl::StrSplit(std::string(*line), ' ');
    start = "startpos";
  }
  std::copy_if(first, parts.end(), std::back_inserter(played),
               [](const std::string& word) { return word != "moves"; });
  auto state = rules.Start(start, MatchRules{});
  if (!state.ok()) return At(IsPosition(start) ? state.status() : MoveProblem(rules, start), where);
  Move before;
  for (const std::string& word : played) {
    const absl::StatusOr<Move> move =
        book::ReadMove(rules.game(), (*state)->packed(), word, before);
    if (!move.ok()) return At(move.status(), where);
    (*state)->Play(*move);
    before = *move;
  }
  return state;
}

absl::Status NotInBook(const std::string& file, const std::vector<std::string>& words) {
  return MakeProblem(
      {.code = "not_in_book",
       .file = file,
       .found = words.empty() ? "startpos" : absl::StrJoin(words, " "),
       .expected = "a position of the book; `joseki book show` without one begins at "
                   "the start"},
      absl::StatusCode::kNotFound);
}

int PlyOf(const GameState& state) {
  const std::string text = state.text();
  int ply = 1;
  std::from_chars(text.data() + text.rfind(' ') + 1, text.data() + text.size(), ply);
  return ply;
}

}  // namespace joseki::cli
