#include "book/stats/interval.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace joseki::book {
namespace {

struct Row {
  double points, n, low, high;
};

// R. G. Newcombe, Statistics in Medicine 17 (1998), table I, methods 3 and 5.
TEST(Interval, WilsonGivesNewcombesTable) {
  for (const Row& row : {Row{81, 263, 0.2553, 0.3662}, Row{15, 148, 0.0624, 0.1605},
                         Row{0, 20, 0.0, 0.1611}, Row{1, 29, 0.0061, 0.1718}}) {
    const Interval interval = Wilson(row.points, row.n);
    EXPECT_NEAR(interval.low, row.low, 5e-5) << row.points << "/" << row.n;
    EXPECT_NEAR(interval.high, row.high, 5e-5) << row.points << "/" << row.n;
  }
}

TEST(Interval, ClopperPearsonGivesNewcombesTable) {
  for (const Row& row : {Row{81, 263, 0.2527, 0.3676}, Row{15, 148, 0.0578, 0.1617},
                         Row{0, 20, 0.0, 0.1684}, Row{1, 29, 0.0009, 0.1776}}) {
    const Interval interval = ClopperPearson(row.points, row.n);
    EXPECT_NEAR(interval.low, row.low, 5e-5) << row.points << "/" << row.n;
    EXPECT_NEAR(interval.high, row.high, 5e-5) << row.points << "/" << row.n;
  }
}

// Brown, Cai and DasGupta, Statistical Science 16 (2001), table 5, n = 10.
TEST(Interval, JeffreysGivesTheTableOfBrownCaiDasGupta) {
  for (const Row& row :
       {Row{0, 10, 0, 0.217}, Row{1, 10, 0.011, 0.381}, Row{2, 10, 0.044, 0.503},
        Row{3, 10, 0.093, 0.606}, Row{4, 10, 0.153, 0.696}, Row{5, 10, 0.224, 0.776}}) {
    const Interval interval = Jeffreys(row.points, row.n);
    EXPECT_NEAR(interval.low, row.low, 5e-4) << row.points;
    EXPECT_NEAR(interval.high, row.high, 5e-4) << row.points;
  }
}

TEST(Interval, KnowsNothingWithoutGames) {
  for (const Interval& interval : {Wilson(0, 0), Jeffreys(0, 0), ClopperPearson(0, 0)}) {
    EXPECT_EQ(interval.low, 0);
    EXPECT_EQ(interval.high, 1);
  }
}

TEST(Interval, AllWonReachesOneAndIsTheMirrorOfAllLost) {
  for (const auto method : {&Wilson, &Jeffreys, &ClopperPearson}) {
    const Interval won = method(7, 7, 0.95);
    const Interval lost = method(0, 7, 0.95);
    EXPECT_EQ(won.high, 1);
    EXPECT_EQ(lost.low, 0);
    EXPECT_NEAR(won.low, 1 - lost.high, 1e-12);
  }
}

TEST(Interval, TakesHalfPointsForDraws) {
  const Interval interval = Wilson(45.5, 100);
  EXPECT_GT(interval.low, Wilson(45, 100).low);
  EXPECT_LT(interval.high, Wilson(46, 100).high);
}

TEST(Interval, MoreConfidenceIsWider) {
  EXPECT_LT(Wilson(30, 100, 0.99).low, Wilson(30, 100, 0.95).low);
  EXPECT_GT(Wilson(30, 100, 0.99).high, Wilson(30, 100, 0.95).high);
}

TEST(Elo, OfKnownScores) {
  EXPECT_NEAR(EloOf(0.5), 0, 1e-12);
  EXPECT_NEAR(EloOf(0.75), 190.848, 1e-3);
  EXPECT_NEAR(EloOf(0.61), 77.7062, 1e-3);
  EXPECT_NEAR(EloOf(0.25), -EloOf(0.75), 1e-9);
  EXPECT_EQ(EloOf(1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(EloOf(0), -std::numeric_limits<double>::infinity());
}

TEST(Elo, AndBack) {
  for (const double score : {0.01, 0.3, 0.5, 0.9}) {
    EXPECT_NEAR(ScoreOfElo(EloOf(score)), score, 1e-12);
  }
  EXPECT_NEAR(ScoreOfElo(400), 10.0 / 11, 1e-12);
}

}  // namespace
}  // namespace joseki::book
