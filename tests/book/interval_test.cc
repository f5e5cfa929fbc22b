#include "book/stats/interval.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace joseki::book {
namespace {

struct Row {
  double points, n, low, high;
};

// R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
TEST(Interval, WilsonGivesNewcombesTable) {
  for (const Row& row : {Row{81, 263, 0.2553, 0.3662}, Row{15, 148, 0.0624, 0.1605},
                         Row{0, 20, 0.0, 0.1611}, Row{1, 29, 0.0061, 0.1718}}) {
    const Interval interval = Wilson(row.points, row.n);
    EXPECT_NEAR(interval.low, row.low, 5e-5) << row.points << "/" << row.n;
    EXPECT_NEAR(interval.high, row.high, 5e-5) << row.points << "/" << row.n;
  }
}

TEST(Interval, KnowsNothingWithoutGames) {
  const Interval interval = Wilson(0, 0);
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.high, 1);
}

TEST(Interval, AllWonReachesOneAndIsTheMirrorOfAllLost) {
  const Interval won = Wilson(7, 7);
  const Interval lost = Wilson(0, 7);
  EXPECT_EQ(won.high, 1);
  EXPECT_EQ(lost.low, 0);
  EXPECT_NEAR(won.low, 1 - lost.high, 1e-12);
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
