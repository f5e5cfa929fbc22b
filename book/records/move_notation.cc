#include "book/records/move_notation.h"

#include <algorithm>

#include "base/problem.h"
#include "base/status_macros.h"
#include "book/records/shogi_notation.h"
#include "book/records/xiangqi_notation.h"
#include "engine/shogi/packed.h"
#include "engine/xiangqi/packed.h"

namespace joseki::book {
namespace {

shogi::Square LastTo(Move before) { return before ? before.to() : shogi::kNoSquare; }

template <ShogiNotation notation>
std::string WriteShogi(const PackedPosition& position, Move move, Move before) {
  return NotationOf(*shogi::Unpack(position), move, notation, LastTo(before));
}

template <XiangqiNotation notation>
std::string WriteXiangqi(const PackedPosition& position, Move move, Move) {
  return NotationOf(*xiangqi::Unpack(position), move, notation);
}

constexpr MoveNotation kMoveNotations[] = {
    {"shogi", "usi", "en", WriteShogi<ShogiNotation::kUsi>},
    {"shogi", "ja", "ja", WriteShogi<ShogiNotation::kJapanese>},
    {"shogi", "en", "", WriteShogi<ShogiNotation::kEnglish>},
    {"xiangqi", "iccs", "en", WriteXiangqi<XiangqiNotation::kIccs>},
    {"xiangqi", "wxf", "", WriteXiangqi<XiangqiNotation::kWxf>},
    {"xiangqi", "zh", "ja", WriteXiangqi<XiangqiNotation::kChinese>},
};

}  // namespace

std::span<const MoveNotation> MoveNotations() { return kMoveNotations; }

const MoveNotation* NotationNamed(std::string_view game, std::string_view name) {
  for (const MoveNotation& row : kMoveNotations) {
    if (row.game == game && row.name == name) return &row;
  }
  return nullptr;
}

const MoveNotation& UsualNotation(std::string_view game, std::string_view language) {
  return *std::find_if(
      std::begin(kMoveNotations), std::end(kMoveNotations),
      [&](const MoveNotation& row) { return row.game == game && row.language == language; });
}

absl::StatusOr<Move> ReadMove(std::string_view game, const PackedPosition& position,
                              std::string_view text, Move before) {
  if (game == "shogi") {
    ASSIGN_OR_RETURN(const shogi::Position here, shogi::Unpack(position));
    return ParseNotation(here, text, LastTo(before));
  }
  if (game == "xiangqi") {
    ASSIGN_OR_RETURN(const xiangqi::Position here, xiangqi::Unpack(position));
    return ParseNotation(here, text);
  }
  return MakeProblem({.code = "unknown_game",
                      .found = Quote(game),
                      .expected = "a game whose moves people write"});
}

bool IsMoveText(const Rules& rules, std::string_view word) {
  const auto start = rules.Start("startpos", MatchRules{});
  if (!start.ok()) return false;
  const absl::StatusOr<Move> move = ReadMove(rules.game(), (*start)->packed(), word, Move());
  return move.ok() || ProblemOf(move.status()).code != "malformed_move";
}

}  // namespace joseki::book
