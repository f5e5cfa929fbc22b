#include "book/stats/calibration.h"

#include <cmath>

#include "base/rng.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

TEST(Calibration, KnowsNothingWithoutGames) {
  const CalibrationFit fit = Calibration().Fit();
  EXPECT_EQ(fit.games, 0u);
  EXPECT_TRUE(std::isinf(fit.low));
  EXPECT_TRUE(std::isinf(fit.high));
}

// Squares about the means: 0.2 of the scores, 0.5 of the results, products 0.3. The slope is 1.5,
// its variance (0.5 - 1.5 x 0.3) / 2 / 0.2 = 0.125 with two degrees of freedom (t = 4.3027).
TEST(Calibration, OneGroupIsARegressionByHand) {
  Calibration calibration;
  calibration.Add(1, 0.2, 0);
  calibration.Add(1, 0.4, 0.5);
  calibration.Add(1, 0.6, 0.5);
  calibration.Add(1, 0.8, 1);
  const CalibrationFit fit = calibration.Fit();
  EXPECT_EQ(fit.games, 4u);
  EXPECT_EQ(fit.groups, 1u);
  EXPECT_NEAR(fit.slope, 1.5, 1e-12);
  EXPECT_NEAR(fit.intercept, -0.25, 1e-12);
  EXPECT_NEAR(fit.low, 1.5 - 1.5212, 1e-4);
  EXPECT_NEAR(fit.high, 1.5 + 1.5212, 1e-4);
}

// One group has slope 5, the other 0, both with squares of 0.2: 2.5 together. The residuals are
// 0.5 and -0.5, the variance 2 x 0.5 / 0.16 = 6.25, with one degree of freedom (t = 12.7062). As
// independent games they would have 0.17. The means, 0.5 and 0.6, have equal results.
TEST(Calibration, GroupsThatDifferWidenTheInterval) {
  Calibration calibration;
  for (int i = 0; i < 10; ++i) {
    calibration.Add(1, 0.4, 0);
    calibration.Add(1, 0.6, 1);
    calibration.Add(2, 0.5, 0.5);
    calibration.Add(2, 0.7, 0.5);
  }
  const CalibrationFit fit = calibration.Fit();
  EXPECT_NEAR(fit.slope, 2.5, 1e-12);
  EXPECT_NEAR(fit.between, 0, 1e-12);
  EXPECT_NEAR(fit.intercept, 0.5 - 2.5 * 0.55, 1e-12);
  EXPECT_NEAR(fit.high - fit.slope, 2.5 * 12.7062, 1e-3);
  EXPECT_NEAR(fit.slope - fit.low, 2.5 * 12.7062, 1e-3);
}

TEST(Calibration, GroupsThatDifferInMoreThanScoresMoveNoSlopeWithin) {
  Calibration calibration;
  for (int i = 0; i < 10; ++i) {
    // Within each group a tenth of score is a tenth of result; the better group scores worse.
    for (const double step : {0.0, 0.1}) {
      calibration.Add(1, 0.3 + step, 0.7 + step);
      calibration.Add(2, 0.6 + step, 0.1 + step);
    }
  }
  const CalibrationFit fit = calibration.Fit();
  EXPECT_NEAR(fit.slope, 1, 1e-9);
  EXPECT_NEAR(fit.between, -2, 1e-9);
  EXPECT_NEAR(fit.low, 1, 1e-6);
  EXPECT_NEAR(fit.high, 1, 1e-6);
}

TEST(Calibration, EqualScoresHaveNoSlope) {
  Calibration calibration;
  for (int i = 0; i < 500; ++i) calibration.Add(i % 7, 0.5, i % 2);
  EXPECT_TRUE(std::isinf(calibration.Fit().high));
  EXPECT_FALSE(calibration.misleads());
}

// Games in which a score p is worth 1/2 + slope (p - 1/2).
Calibration GamesOfSlope(double slope, uint64_t games) {
  Calibration calibration;
  Rng rng(5);
  for (uint64_t i = 0; i < games; ++i) {
    const double expected = 0.2 + 0.6 * rng.Unit();
    const double worth = 0.5 + slope * (expected - 0.5);
    calibration.Add(rng.Below(30), expected, rng.Unit() < worth ? 1 : 0);
  }
  return calibration;
}

TEST(Calibration, ScoresMisleadIfResultsDoNotFollowThem) {
  EXPECT_FALSE(GamesOfSlope(1, 2000).misleads());
  EXPECT_TRUE(GamesOfSlope(0, 2000).misleads());
  EXPECT_TRUE(GamesOfSlope(0.5, 2000).misleads());
  EXPECT_FALSE(GamesOfSlope(1.6, 2000).misleads());
  const CalibrationFit fit = GamesOfSlope(1, 2000).Fit();
  EXPECT_LT(fit.low, 1);
  EXPECT_GT(fit.high, 1);
  EXPECT_LT(fit.high - fit.low, 0.35);
}

TEST(Calibration, FewGamesMisleadNobody) {
  EXPECT_FALSE(GamesOfSlope(-2, Calibration::kGamesALook - 1).misleads());
  EXPECT_TRUE(GamesOfSlope(-2, Calibration::kGamesALook).misleads());
}

}  // namespace
}  // namespace joseki::book
