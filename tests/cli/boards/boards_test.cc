#include <optional>
#include <string>
#include <string_view>

#include "cli/boards/game_view.h"
#include "cli/boards/shogi_board.h"
#include "cli/boards/xiangqi_board.h"
#include "engine/games.h"
#include "engine/xiangqi/fen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;

size_t CountOf(std::string_view text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

TEST(BoardSvg, HasEveryPieceAndTurnsThoseOfWhite) {
  const std::string svg = BoardSvg(shogi::Position(), {}, "the start");
  EXPECT_EQ(CountOf(svg, "rotate(180"), 20u);
  EXPECT_EQ(CountOf(svg, ">歩<"), 18u);
  EXPECT_EQ(CountOf(svg, ">玉<"), 2u);
  EXPECT_THAT(svg, HasSubstr("aria-label=\"the start\""));
}

TEST(BoardSvg, ShowsHandsWithTheirNumbers) {
  const std::string svg = BoardSvg(shogi::At("4k4/9/9/9/9/9/9/9/4K4 b R3Pb 1"), {}, "hands");
  EXPECT_EQ(CountOf(svg, ">飛<"), 1u);
  EXPECT_EQ(CountOf(svg, ">角<"), 1u);
  EXPECT_EQ(CountOf(svg, ">歩<"), 1u);
  EXPECT_THAT(svg, HasSubstr(">3</text>"));
}

TEST(BoardSvg, APieceThatWhiteDropsIsTurned) {
  const shogi::Position position = shogi::At("4k4/9/9/9/9/9/9/9/4K4 w p 1");
  const DrawnMove move{*shogi::ParseMove(position, "P*5e"), "blue"};
  EXPECT_EQ(CountOf(BoardSvg(position, {}, "before"), "rotate(180"), 2u);  // king and hand
  EXPECT_EQ(CountOf(BoardSvg(position, {&move, 1}, "drop"), "rotate(180"), 3u);
}

TEST(BoardSvg, MovesAreArrowsAndDropsAreRings) {
  const shogi::Position position = shogi::At("4k4/9/9/9/9/9/9/9/4K4 b P 1");
  const DrawnMove moves[] = {{*shogi::ParseMove(position, "5i5h"), "red"},
                             {*shogi::ParseMove(position, "P*5e"), "blue"}};
  const std::string svg = BoardSvg(position, moves, "moves");
  EXPECT_EQ(CountOf(svg, "stroke=\"red\""), 1u);
  EXPECT_THAT(svg, HasSubstr("<circle cx=\"112\" cy=\"104\""));  // the middle of the board
  EXPECT_EQ(CountOf(svg, "stroke=\"blue\""), 1u);
}

xiangqi::Position XiangqiAt(std::string_view fen) { return xiangqi::ParseFen(fen)->position; }

TEST(XiangqiBoard, HasEveryPieceOfEitherSide) {
  const std::string svg = BoardSvg(XiangqiAt(xiangqi::kStartFen), {}, "the start");
  EXPECT_EQ(CountOf(svg, "<circle"), 32u);
  EXPECT_EQ(CountOf(svg, ">兵<"), 5u);
  EXPECT_EQ(CountOf(svg, ">卒<"), 5u);
  EXPECT_EQ(CountOf(svg, ">帥<"), 1u);
  EXPECT_THAT(svg, HasSubstr("aria-label=\"the start\""));
  // a0 is at the lower left, where Red's rook stands.
  EXPECT_THAT(svg, HasSubstr("<circle cx=\"24\" cy=\"204\""));
  EXPECT_EQ(BoardText(XiangqiAt(xiangqi::kStartFen)).substr(0, 31),
            "   a  b  c  d  e  f  g  h  i\n9 ");
}

TEST(XiangqiBoard, AMoveIsAnArrowFromPointToPoint) {
  const Rules& rules = **RulesOf("xiangqi");
  const DrawnMove move{*rules.MoveOf("h2e2"), "blue"};
  const std::string svg = BoardSvg(XiangqiAt(xiangqi::kStartFen), {&move, 1}, "");
  EXPECT_THAT(svg, HasSubstr("<line x1=\"164.0\" y1=\"164.0\" x2=\"113.0\" y2=\"164.0\""));
}

PackedPosition PackedOf(const Rules& rules, std::string_view position) {
  return (*rules.Start(position, MatchRules{}))->packed();
}

TEST(GameView, EachGameHasOneAndKnowsItsOwnPositions) {
  std::vector<PackedPosition> starts;
  for (const std::string& game : GameNames()) {
    starts.push_back(PackedOf(**RulesOf(game), "startpos"));
  }
  for (size_t i = 0; i < starts.size(); ++i) {
    const GameView& view = ViewOf(GameNames()[i]);
    EXPECT_EQ(view.game, GameNames()[i]);
    for (size_t j = 0; j < starts.size(); ++j) {
      EXPECT_EQ(view.text(starts[j], Voice()).empty(), i != j);
      EXPECT_EQ(view.svg(starts[j], {}, "").empty(), i != j);
      EXPECT_EQ(view.likeness(starts[j]).has_value(), i == j);
    }
  }
}

TEST(GameView, XiangqiIsAlikeWherePawnsStandOtherwise) {
  const Rules& rules = **RulesOf("xiangqi");
  const auto likeness = [&](const char* fen) {
    return *ViewOf("xiangqi").likeness(PackedOf(rules, fen));
  };
  const uint64_t start = likeness("startpos");
  EXPECT_EQ(likeness("rnbakabnr/9/1c5c1/p3p1p1p/2p6/6P2/P1P1P3P/1C2B2C1/9/RNBAKA1NR w - - 0 1"),
            start);
  EXPECT_NE(likeness("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1"),
            start);
  EXPECT_NE(likeness("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 0 1"),
            start);
}

TEST(GameView, SidesHaveTheWordsOfTheGame) {
  const Rules& shogi = **RulesOf("shogi");
  const Rules& xiangqi = **RulesOf("xiangqi");
  EXPECT_EQ(SideNamed(shogi, "black", "--side").value(), Color::kFirst);
  EXPECT_EQ(SideNamed(xiangqi, "red", "--side").value(), Color::kFirst);
  EXPECT_EQ(SideNamed(xiangqi, "black", "--side").value(), Color::kSecond);
  EXPECT_THAT(std::string(SideNamed(xiangqi, "white", "--side").status().message()),
              HasSubstr("red or black"));
}

}  // namespace
}  // namespace joseki::cli
