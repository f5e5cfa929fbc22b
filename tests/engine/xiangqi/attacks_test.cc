#include "engine/xiangqi/attacks.h"

#include "base/rng.h"
#include "gtest/gtest.h"

namespace joseki::xiangqi {
namespace {

// The squares of a slider, found square by square.
Slides Walked(Square s, Bitboard occupied) {
  Slides slides;
  for (int d = 0; d < 4; ++d) {
    int met = 0;
    for (int i = 1; i < kRanks; ++i) {
      const int file = FileOf(s) + i * kFileStep[d];
      const int rank = RankOf(s) + i * kRankStep[d];
      if (!OnBoard(file, rank) || met == 2) break;
      const Square to = MakeSquare(file, rank);
      if (met == 0) slides.rook |= Bit(to);
      if (met == 1 && Has(occupied, to)) slides.jump |= Bit(to);
      if (Has(occupied, to)) ++met;
    }
  }
  return slides;
}

TEST(XiangqiAttacks, SlidersReachTheSquaresWalked) {
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    Bitboard occupied(rng.Next(), rng.Next());
    if (i % 3 != 0) occupied &= Bitboard(rng.Next(), rng.Next());
    if (i % 3 == 2) occupied &= Bitboard(rng.Next(), rng.Next());
    occupied &= kAllSquares;
    for (Square s = 0; s < kSquareCount; ++s) {
      const Slides slides = SlidesFrom(s, occupied);
      const Slides walked = Walked(s, occupied);
      ASSERT_EQ(slides.rook, walked.rook) << s;
      ASSERT_EQ(slides.jump & occupied, walked.jump) << s;
    }
  }
}

TEST(XiangqiAttacks, StepsHaveKnownCounts) {
  int elephants = 0;
  int advisers = 0;
  int kings = 0;
  for (Square s = 0; s < kSquareCount; ++s) {
    elephants += ElephantAttacks(s, {}).Count();
    advisers += kAttacks.adviser[0][static_cast<size_t>(s)].Count();
    kings += kAttacks.king[1][static_cast<size_t>(s)].Count();
    EXPECT_EQ(KnightsReaching(s, {}), KnightAttacks(s, {})) << "alike on an empty board";
  }
  EXPECT_EQ(elephants, 2 * 16);
  EXPECT_EQ(advisers, 8);
  EXPECT_EQ(kings, 24);
  EXPECT_EQ(KnightAttacks(MakeSquare(4, 4), {}).Count(), 8);
  EXPECT_EQ(KnightAttacks(MakeSquare(4, 4), Bit(MakeSquare(4, 5))).Count(), 6);
  EXPECT_EQ(KnightAttacks(0, {}).Count(), 2);
}

TEST(XiangqiAttacks, BetweenNeedsACommonLine) {
  EXPECT_EQ(Between(0, 8).Count(), 7);
  EXPECT_EQ(Between(0, 81).Count(), 8);
  EXPECT_EQ(Between(81, 0), Between(0, 81));
  EXPECT_FALSE(Between(0, 10));
  EXPECT_FALSE(Between(0, 1));
}

}  // namespace
}  // namespace joseki::xiangqi
