#include "book/records/line_writer.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/shogi/shogi_rules.h"
#include "engine/xiangqi/xiangqi_rules.h"

namespace joseki::book {
namespace {

absl::StatusOr<std::string> WriteLine(const WrittenGame& game, const Rules& rules,
                                      const char* position_word) {
  ASSIGN_OR_RETURN(const auto state, rules.Start(game.start, MatchRules{}));
  ASSIGN_OR_RETURN(const auto usual, rules.Start("startpos", MatchRules{}));
  std::string text = state->packed() == usual->packed()
                         ? std::string("startpos")
                         : absl::StrCat(position_word, " ", state->text());
  if (!game.moves.empty()) text += " moves";
  for (const Move move : game.moves) {
    if (!state->Play(move)) {
      return MakeProblem({.code = "illegal_move",
                          .found = rules.Text(move),
                          .expected = absl::StrCat("a legal move at ply ", state->plies() + 1)});
    }
    absl::StrAppend(&text, " ", rules.Text(move));
  }
  return text + "\n";
}

}  // namespace

absl::StatusOr<std::string> WriteUsiLine(const WrittenGame& game) {
  return WriteLine(game, shogi::ShogiRules(), "sfen");
}

absl::StatusOr<std::string> WriteUcciLine(const WrittenGame& game) {
  return WriteLine(game, xiangqi::XiangqiRules(), "fen");
}

}  // namespace joseki::book
