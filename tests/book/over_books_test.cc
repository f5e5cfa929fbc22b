#include "book/stats/over_books.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace joseki::book {
namespace {

// Table of Student (W. S. Gosset), as every textbook has it.
TEST(StudentTest, QuantilesAreThoseOfTheTable) {
  EXPECT_NEAR(StudentQuantile(0.975, 1), 12.706, 5e-4);
  EXPECT_NEAR(StudentQuantile(0.975, 2), 4.303, 5e-4);
  EXPECT_NEAR(StudentQuantile(0.975, 7), 2.365, 5e-4);
  EXPECT_NEAR(StudentQuantile(0.975, 31), 2.040, 5e-4);
  EXPECT_NEAR(StudentQuantile(0.95, 5), 2.015, 5e-4);
  EXPECT_NEAR(StudentQuantile(0.025, 10), -2.228, 5e-4);
}

// By hand: 10, 20, 30, 40 have the mean 25 and the variance 500 / 3; t at three degrees of freedom
// is 3.18245. Noise of variance 25 leaves 425 / 3, so values shrink towards the mean by a factor of
// sqrt(0.85). The tenth percentile is 3/10 of the way from the first value to the second.
TEST(OverBooksTest, TakesTheMatchesNoiseOut) {
  const OverBooks over = Summarise(std::vector<Measured>{{10, 20}, {20, 30}, {30, 25}, {40, 25}});
  EXPECT_EQ(over.books, 4u);
  EXPECT_DOUBLE_EQ(over.mean, 25);
  EXPECT_NEAR(over.sd, std::sqrt(500.0 / 3), 1e-9);
  EXPECT_NEAR(over.noise, 5, 1e-9);
  EXPECT_NEAR(over.between, std::sqrt(425.0 / 3), 1e-9);
  EXPECT_NEAR(over.low, 25 - 3.18245 * std::sqrt(500.0 / 3) / 2, 1e-3);
  EXPECT_NEAR(over.high, 25 + 3.18245 * std::sqrt(500.0 / 3) / 2, 1e-3);
  EXPECT_NEAR(over.tenth, 25 + std::sqrt(0.85) * (-15 + 0.3 * 10), 1e-9);
}

TEST(OverBooksTest, NoiseIsNeverMoreThanThereIs) {
  const OverBooks over = Summarise(std::vector<Measured>{{10, 400}, {12, 400}});
  EXPECT_DOUBLE_EQ(over.between, 0);
  EXPECT_DOUBLE_EQ(over.tenth, 11);
}

// Two books with one value by chance do not bound it closer than their matches do: t at one degree
// of freedom is 12.7062.
TEST(OverBooksTest, AnIntervalIsNoNarrowerThanTheMatches) {
  const OverBooks over = Summarise(std::vector<Measured>{{10, 400}, {10, 400}});
  EXPECT_NEAR(over.high, 10 + 12.7062 * 20 / std::sqrt(2.0), 1e-2);
  EXPECT_NEAR(over.low, 10 - 12.7062 * 20 / std::sqrt(2.0), 1e-2);
  const Estimate difference = DifferenceOf(over, over);
  EXPECT_GT(difference.high, 20);
}

TEST(OverBooksTest, OneBookBoundsNothing) {
  EXPECT_EQ(Summarise({}).books, 0u);
  const OverBooks over = Summarise(std::vector<Measured>{{10, 4}});
  EXPECT_DOUBLE_EQ(over.mean, 10);
  EXPECT_TRUE(std::isinf(over.low) && over.low < 0);
  EXPECT_TRUE(std::isinf(over.high) && over.high > 0);
}

// J. Cohen, Statistical power analysis (1988). A one-sample t test (two-sided 5 %, power 80 %)
// needs 34, 15 and 199 samples for effects of 0.5, 0.8 and 0.2 sd.
TEST(PowerTest, NeedsAsManyAsCohenSays) {
  EXPECT_EQ(BooksToShow(0.5, 1), 34u);
  EXPECT_EQ(BooksToShow(0.8, 1), 15u);
  EXPECT_EQ(BooksToShow(0.2, 1), 199u);
}

// Five books with a sd of 24 or 37 Elo, as the first tuned ones had.
TEST(PowerTest, FewBooksShowLargeGainsOnly) {
  EXPECT_NEAR(PowerOfMean(20, 24, 5), 0.29, 0.01);
  EXPECT_NEAR(PowerOfMean(50, 24, 5), 0.92, 0.01);
  EXPECT_NEAR(PowerOfMean(20, 37, 5), 0.15, 0.01);
  EXPECT_NEAR(PowerOfMean(50, 37, 5), 0.61, 0.02);
  EXPECT_EQ(BooksToShow(20, 24), 14u);
  EXPECT_EQ(BooksToShow(20, 37), 29u);
  EXPECT_NEAR(PowerOfMean(0, 24, 5), 0.025, 1e-6);
  EXPECT_EQ(BooksToShow(0, 24), 0u);
  EXPECT_EQ(PowerOfMean(20, 24, 1), 0);
  EXPECT_EQ(PowerOfMean(20, 0, 2), 1);
  EXPECT_EQ(PowerOfMean(1000, 1, 100), 1);
  EXPECT_EQ(PowerOfMean(-1000, 1, 100), 0);
}

TEST(PercentileTest, LiesBetweenValues) {
  EXPECT_DOUBLE_EQ(PercentileOf({3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11}, 0.1), 2);
  EXPECT_DOUBLE_EQ(PercentileOf({20, 10}, 0.1), 11);
  EXPECT_DOUBLE_EQ(PercentileOf({7}, 0.1), 7);
  EXPECT_DOUBLE_EQ(PercentileOf({1, 2}, 1), 2);
}

// By hand: both means have variance 1, so 4 / (1 / 8 + 1 / 15) = 20.87 degrees of freedom, where t
// is 2.0804.
TEST(DifferenceTest, IsWelchs) {
  OverBooks a;
  a.books = 9;
  a.mean = 10;
  a.sd = 3;
  OverBooks b;
  b.books = 16;
  b.mean = 4;
  b.sd = 4;
  const Estimate difference = DifferenceOf(a, b);
  EXPECT_DOUBLE_EQ(difference.value, 6);
  EXPECT_NEAR(difference.low, 6 - 2.0804 * std::sqrt(2.0), 1e-3);
  EXPECT_NEAR(difference.high, 6 + 2.0804 * std::sqrt(2.0), 1e-3);
  b.books = 1;
  EXPECT_TRUE(std::isinf(DifferenceOf(a, b).low));
}

// By hand: row means are 1 and 3, column means 1, 2 and 3. The variances are 2 / 2 and 1 / 3, and t
// has one degree of freedom.
TEST(CrossedMeanTest, ReckonsWithTheBooksOfBoth) {
  const Estimate mean = CrossedMean({{0, 1, 2}, {2, 3, 4}});
  EXPECT_DOUBLE_EQ(mean.value, 2);
  EXPECT_NEAR(mean.high - 2, 12.7062 * std::sqrt(1 + 1.0 / 3), 1e-3);
  EXPECT_NEAR(2 - mean.low, 12.7062 * std::sqrt(1 + 1.0 / 3), 1e-3);
  EXPECT_TRUE(std::isinf(CrossedMean({{0, 1, 2}}).low));
}

TEST(CorrectionTest, SharesTheErrorOut) {
  EXPECT_NEAR(ConfidenceOfEach(0.95, 10), 0.995, 1e-12);
  EXPECT_NEAR(ConfidenceOfEach(0.95, 1), 0.95, 1e-12);
}

}  // namespace
}  // namespace joseki::book
