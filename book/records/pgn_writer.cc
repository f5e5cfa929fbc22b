#include "book/records/pgn_writer.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"

namespace joseki::book {
namespace {

constexpr size_t kLineLength = 80;  // approximate, in bytes

std::string_view ResultWord(Result result) {
  switch (result) {
    case Result::kFirstWins:
      return "1-0";
    case Result::kSecondWins:
      return "0-1";
    case Result::kDraw:
      return "1/2-1/2";
    case Result::kNone:
      return "*";
  }
  return "*";
}

// A tag value cannot hold quotation marks or line feeds.
std::string ValueOf(std::string_view text) {
  std::string value(text);
  std::replace_if(
      value.begin(), value.end(), [](char c) { return c == '"' || c == '\n' || c == '\r'; }, '\'');
  return value;
}

void AppendTag(std::string& out, const char* name, std::string_view value) {
  absl::StrAppend(&out, "[", name, " \"", ValueOf(value), "\"]\n");
}

// Joins words with blanks and wraps lines.
class Wrapped {
 public:
  void Add(const std::string& word) {
    if (line_ > 0) text_ += line_ + word.size() < kLineLength ? ' ' : '\n';
    line_ = text_.empty() || text_.back() == '\n' ? word.size() : line_ + 1 + word.size();
    text_ += word;
  }
  std::string& text() { return text_; }

 private:
  std::string text_;
  size_t line_ = 0;  // length of the last line
};

}  // namespace

absl::StatusOr<std::string> WritePgn(const WrittenGame& game, XiangqiNotation notation) {
  ASSIGN_OR_RETURN(xiangqi::FenPosition start, xiangqi::ParseFen(game.start));
  xiangqi::Position& position = start.position;
  const bool fault = IsFault(game.ending.termination);
  const std::string_view result = ResultWord(fault ? Result::kNone : game.ending.result);
  std::string out;
  AppendTag(out, "Game", "Chinese Chess");
  AppendTag(out, "Event", game.event);
  if (!game.players[0].empty()) AppendTag(out, "Red", game.players[0]);
  if (!game.players[1].empty()) AppendTag(out, "Black", game.players[1]);
  AppendTag(out, "Result", result);
  if (xiangqi::Pack(position) != xiangqi::Pack(xiangqi::Position())) {
    AppendTag(out, "FEN", xiangqi::ToFen(position, start.ply));
  }
  Wrapped text;
  for (size_t i = 0; i < game.moves.size(); ++i) {
    const Move move = game.moves[i];
    if (!position.IsLegal(move)) {
      return MakeProblem({.code = "illegal_move",
                          .found = xiangqi::ToUcci(move),
                          .expected = absl::StrCat("a legal move at ply ", i + 1)});
    }
    const int number = (start.ply + static_cast<int>(i) + 1) / 2;
    if (position.side_to_move() == xiangqi::kRed) {
      text.Add(absl::StrCat(number, "."));
    } else if (i == 0) {
      text.Add(absl::StrCat(number, "..."));
    }
    text.Add(NotationOf(position, move, notation));
    xiangqi::Undo undo;
    position.Do(move, undo);
  }
  if (game.ending.termination != Termination::kNone) {
    text.Add(absl::StrCat("{", std::string(Name(game.ending.termination)), "}"));
  }
  text.Add(std::string(result));
  return absl::StrCat(out, "\n", text.text(), "\n\n");
}

}  // namespace joseki::book
