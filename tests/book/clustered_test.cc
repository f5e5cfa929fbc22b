#include "book/stats/clustered.h"

#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;

// Four pairs: with the first move two lines decide, with the second there is one line.
std::vector<PairedGames> FewLines() {
  return {{{1, 1}, {7, 9}}, {{1, 0}, {7, 9}}, {{0, 1}, {8, 9}}, {{0, 0}, {8, 9}}};
}

// By hand: residuals of the first colour sum to +1 and -1 in its lines, so the variance is 2 / 1 *
// 2 / 16. Residuals of single games give 1 / 12 for either colour, and the covariance is 0.
TEST(ClusteredScoreTest, LinesThatDecideAreCountedAsLines) {
  const ClusteredScore score = ClusterByLine(FewLines());
  EXPECT_THAT(score.pentanomial.pairs, ElementsAre(1, 0, 2, 0, 1));
  EXPECT_DOUBLE_EQ(score.score, 0.5);
  EXPECT_THAT(score.lines, ElementsAre(2, 1));
  EXPECT_THAT(score.effective, ElementsAre(2.0, 1.0));
  EXPECT_NEAR(score.plain, (1.0 / 12 + 1.0 / 12) / 4, 1e-12);
  EXPECT_NEAR(score.clustered, (1.0 / 4 + 1.0 / 12) / 4, 1e-12);
  EXPECT_NEAR(score.freedom, 12.0 / 7, 1e-9);
  // Student's 97.5 % quantile just below one degree of freedom exceeds 4, so the interval is
  // everything.
  EXPECT_DOUBLE_EQ(ScoreInterval(score).low, 0);
  EXPECT_DOUBLE_EQ(ScoreInterval(score).high, 1);
}

// If every game is a line of its own, or lines differ by chance only, pairs are independent.
TEST(ClusteredScoreTest, ManyLinesAreIndependentPairs) {
  std::vector<PairedGames> pairs;
  for (uint64_t i = 0; i < 40; ++i) {
    pairs.push_back({{i % 2 == 0 ? 1.0 : 0.0, i % 4 < 2 ? 1.0 : 0.5}, {100 + i, 200 + i}});
  }
  const ClusteredScore score = ClusterByLine(pairs);
  EXPECT_EQ(score.distinct(), 80u);
  EXPECT_NEAR(score.clustered, score.plain, 1e-9);
  // A pair's score is (a + b) / 2: its variance over n - 1, over n.
  EXPECT_NEAR(score.plain, score.pentanomial.variance() / 39, 1e-9);
  const Interval plain = ScoreInterval(score.pentanomial);
  const Interval interval = ScoreInterval(score);
  EXPECT_LE(interval.low, plain.low);
  EXPECT_GE(interval.high, plain.high);
  EXPECT_NEAR(interval.low, plain.low, 0.01);
}

// Lines that win with one colour and lose with the other: each colour has a single line. There is
// no spread between lines, but that must not make the result more certain than single games do.
TEST(ClusteredScoreTest, ColoursAreNoLines) {
  std::vector<PairedGames> pairs;
  for (int i = 0; i < 10; ++i) pairs.push_back({{1, 0}, {1, 2}});
  const ClusteredScore score = ClusterByLine(pairs);
  EXPECT_DOUBLE_EQ(score.score, 0.5);
  EXPECT_DOUBLE_EQ(score.clustered, 0);
  const Interval interval = ScoreInterval(score);
  const Interval plain = ScoreInterval(score.pentanomial);
  EXPECT_DOUBLE_EQ(interval.low, plain.low);
  EXPECT_DOUBLE_EQ(interval.high, plain.high);
}

// By hand: the colours' means are 0.55 and 0.75, residuals +-0.25 and +-0.05 of opposite signs.
TEST(ClusteredScoreTest, ExpectedResultsKeepTheirFractions) {
  const std::vector<PairedGames> pairs = {{{0.8, 0.7}, {1, 2}}, {{0.3, 0.8}, {3, 4}}};
  const ClusteredScore score = ClusterByLine(pairs);
  EXPECT_NEAR(score.score, 0.65, 1e-12);
  // A pair's means are 0.75 and 0.55.
  EXPECT_NEAR(score.plain, 0.01, 1e-12);
  EXPECT_THAT(score.pentanomial.pairs, ElementsAre(0, 0, 1, 1, 0));
}

TEST(ClusteredScoreTest, NothingAndOnePairAreNoError) {
  EXPECT_EQ(ClusterByLine({}).pairs(), 0u);
  const std::vector<PairedGames> one = {{{1, 0.5}, {1, 2}}};
  const ClusteredScore score = ClusterByLine(one);
  EXPECT_DOUBLE_EQ(score.score, 0.75);
  EXPECT_LT(ScoreInterval(score).low, 0.75);
}

// d Elo / d score is 400 / ln 10 / (s (1 - s)): 694.87 at one half.
TEST(ClusteredScoreTest, EloHasTheVarianceOfThisMatch) {
  const Measured measured = MeasuredElo(ClusterByLine(FewLines()));
  EXPECT_DOUBLE_EQ(measured.value, 0);
  EXPECT_NEAR(std::sqrt(measured.variance), 694.871 * std::sqrt(1.0 / 24), 0.01);
  const std::vector<PairedGames> won(3, {{1, 1}, {1, 2}});
  EXPECT_NEAR(MeasuredElo(ClusterByLine(won)).value, EloOf(3.25 / 3.5), 1e-9);
  const std::vector<PairedGames> lost(3, {{0, 0}, {1, 2}});
  EXPECT_NEAR(MeasuredElo(ClusterByLine(lost)).value, EloOf(0.25 / 3.5), 1e-9);
  const std::vector<PairedGames> one = {{{1, 0}, {1, 2}}};
  EXPECT_NEAR(std::sqrt(MeasuredElo(ClusterByLine(one)).variance),
              694.871 * std::sqrt(kUsualPairVariance), 0.01);
}

}  // namespace
}  // namespace joseki::book
