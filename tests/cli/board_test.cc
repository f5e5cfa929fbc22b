#include "cli/board.h"

#include <string>
#include <string_view>

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

}  // namespace
}  // namespace joseki::cli
