#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

TEST(Western, TheThesisExamples) {
  const Position start;
  EXPECT_EQ(ToWestern(start, *MoveFromUsi("7g7f")), "P-7f(7g)");
  Position position;
  Play(position, "7g7f 3c3d");
  EXPECT_EQ(ToWestern(position, *MoveFromUsi("8h2b+")), "Bx2b+(8h)");
  const Position drop = At("4k4/9/9/9/9/9/9/9/4K4 b P 1");
  EXPECT_EQ(ToWestern(drop, *MoveFromUsi("P*7f")), "P-7f");
  const Position dragon = At("4k4/9/9/9/9/9/9/9/2+R1K4 b - 1");
  EXPECT_EQ(ToWestern(dragon, *MoveFromUsi("7i8h")), "+R-8h(7i)");
}

TEST(Western, EveryLegalMoveReadsBack) {
  for (const char* sfen :
       {kStartSfen, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"}) {
    const Position position = At(sfen);
    MoveList moves;
    position.Generate<GenType::kAll>(moves);
    for (const Move move : moves) {
      auto read = ParseWestern(position, ToWestern(position, move));
      ASSERT_TRUE(read.ok()) << ToWestern(position, move) << " " << read.status();
      EXPECT_EQ(*read, move) << ToWestern(position, move);
    }
  }
}

TEST(Western, RefusesOtherText) {
  const Position start;
  for (const char* text :
       {"", "P", "P7f", "P-7f(7g", "P-7f(7g))", "X-7f(7g)", "P-0f(7g)", "Px7f(7g)", "S-7f(7g)",
        "+P-7f(7g)", "P-7f+(7g)", "K-5e", "P-5e", "P-7f(7g) "}) {
    EXPECT_FALSE(ParseWestern(start, text).ok()) << text;
  }
}

}  // namespace
}  // namespace joseki::shogi
