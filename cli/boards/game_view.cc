#include "cli/boards/game_view.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/rng.h"
#include "book/formats/partial_book.h"
#include "cli/boards/shogi_board.h"
#include "cli/boards/xiangqi_board.h"
#include "cli/words/phrases.h"
#include "engine/shogi/packed.h"
#include "engine/xiangqi/packed.h"

namespace joseki::cli {
namespace {

template <auto Unpack>
std::string TextOf(const PackedPosition& packed, const Voice& voice) {
  const auto position = Unpack(packed);
  return position.ok() ? BoardText(*position, voice) : "";
}

template <auto Unpack>
std::string SvgOf(const PackedPosition& packed, std::span<const DrawnMove> moves,
                  std::string_view label) {
  const auto position = Unpack(packed);
  return position.ok() ? BoardSvg(*position, moves, label) : "";
}

std::optional<uint64_t> ShogiLikeness(const PackedPosition& packed) {
  const auto position = shogi::Unpack(packed);
  return position.ok() ? std::optional(book::PartialKey(*position)) : std::nullopt;
}

// A key of kings, rooks, cannons, knights and the side to move. Pawns, advisers and elephants are
// ignored.
std::optional<uint64_t> XiangqiLikeness(const PackedPosition& packed) {
  const auto position = xiangqi::Unpack(packed);
  if (!position.ok()) return std::nullopt;
  uint64_t key = position->side_to_move() == xiangqi::kRed ? 0 : 0x9e3779b97f4a7c15u;
  for (xiangqi::Square square = 0; square < xiangqi::kSquareCount; ++square) {
    const xiangqi::Piece piece = position->piece(square);
    switch (xiangqi::TypeOf(piece)) {
      case xiangqi::kKing:
      case xiangqi::kRook:
      case xiangqi::kCannon:
      case xiangqi::kKnight:
        key ^= Rng(uint64_t{piece} * xiangqi::kSquareCount + static_cast<uint64_t>(square)).Next();
        break;
      default:
        break;
    }
  }
  return key;
}

constexpr GameView kViews[] = {
    {.game = "shogi",
     .first = "black",
     .second = "white",
     .first_phrase = phrase::kBlackFirst,
     .second_phrase = phrase::kWhiteSecond,
     .likeness = ShogiLikeness,
     .text = TextOf<shogi::Unpack>,
     .svg = SvgOf<shogi::Unpack>},
    {.game = "xiangqi",
     .first = "red",
     .second = "black",
     .first_phrase = phrase::kRedFirst,
     .second_phrase = phrase::kBlackSecond,
     .likeness = XiangqiLikeness,
     .text = TextOf<xiangqi::Unpack>,
     .svg = SvgOf<xiangqi::Unpack>},
};

}  // namespace

const GameView& ViewOf(std::string_view game) {
  return *std::find_if(std::begin(kViews), std::end(kViews),
                       [&](const GameView& view) { return view.game == game; });
}

std::vector<std::string> SideWords() {
  std::set<std::string> words;
  for (const GameView& view : kViews) {
    words.emplace(view.first);
    words.emplace(view.second);
  }
  return {words.begin(), words.end()};
}

absl::StatusOr<Color> SideNamed(const Rules& rules, std::string_view word, std::string_view flag) {
  const GameView& view = ViewOf(rules.game());
  if (word == view.first) return Color::kFirst;
  if (word == view.second) return Color::kSecond;
  return MakeProblem(
      {.code = "usage",
       .file = std::string(flag),
       .found = Quote(word),
       .expected = absl::StrCat(std::string(view.first), " or ", std::string(view.second),
                                ", as the game is ", std::string(rules.game()))});
}

}  // namespace joseki::cli
