#include "engine/core/resignation.h"

#include <vector>

#include "gtest/gtest.h"

namespace joseki {
namespace {

constexpr ResignRule kRule{.below = 500, .moves = 2, .play_on_percent = 10};
constexpr Ending kFirstWins{Result::kFirstWins, Termination::kNoLegalMove};
constexpr Ending kSecondWins{Result::kSecondWins, Termination::kNoLegalMove};

TEST(ResignWatch, WantsLowScoresOfOneSideInARow) {
  ResignWatch watch(kRule);
  EXPECT_FALSE(watch.Add(Color::kFirst, -500));
  EXPECT_FALSE(watch.Add(Color::kSecond, -900));
  EXPECT_FALSE(watch.Add(Color::kFirst, -499));
  EXPECT_TRUE(watch.Add(Color::kSecond, -500));
  EXPECT_FALSE(watch.Add(Color::kFirst, -2000));
  EXPECT_FALSE(watch.Add(Color::kFirst, kNoScore)) << "no score says nothing";
  EXPECT_FALSE(watch.Add(Color::kFirst, -2000));
  EXPECT_TRUE(watch.Add(Color::kFirst, -32000));
}

TEST(ResignWatch, NobodyResignsWithoutARule) {
  ResignWatch watch(ResignRule{});
  EXPECT_FALSE(watch.Add(Color::kFirst, -32000));
  EXPECT_FALSE(watch.Add(Color::kFirst, -32000));
}

TEST(CheckResignation, JudgesTheFirstThatWouldHaveResigned) {
  // Second would have resigned at its second choice, First later.
  const std::vector<int16_t> scores = {10, -600, 20, -700, -600, 0, -600};
  EXPECT_EQ(CheckResignation(kRule, Color::kFirst, scores, kFirstWins), ResignCheck::kRight);
  EXPECT_EQ(CheckResignation(kRule, Color::kFirst, scores, kSecondWins), ResignCheck::kWrong);
  EXPECT_EQ(
      CheckResignation(kRule, Color::kFirst, scores, {Result::kDraw, Termination::kRepetition}),
      ResignCheck::kWrong);
  EXPECT_EQ(CheckResignation(kRule, Color::kSecond, scores, kSecondWins), ResignCheck::kRight);
}

TEST(CheckResignation, SaysNothingOfOtherGames) {
  const std::vector<int16_t> low = {-600, 600, -600, 600};
  EXPECT_EQ(CheckResignation(kRule, Color::kFirst, {}, kFirstWins), ResignCheck::kNone);
  EXPECT_EQ(CheckResignation(kRule, Color::kFirst, std::vector<int16_t>{-600, 600}, kFirstWins),
            ResignCheck::kNone);
  EXPECT_EQ(CheckResignation(ResignRule{}, Color::kFirst, low, kFirstWins), ResignCheck::kNone);
  EXPECT_EQ(
      CheckResignation(kRule, Color::kFirst, low, {Result::kSecondWins, Termination::kResign}),
      ResignCheck::kNone);
  EXPECT_EQ(CheckResignation(kRule, Color::kFirst, low, {Result::kNone, Termination::kCrash}),
            ResignCheck::kNone);
}

TEST(PlaysOn, HoldsForItsShareOfTheSlots) {
  int played_on = 0;
  for (uint64_t seed = 0; seed < 10'000; ++seed) played_on += PlaysOn(kRule, seed);
  EXPECT_NEAR(played_on, 1000, 100);
  EXPECT_FALSE(PlaysOn({.below = 1, .moves = 1, .play_on_percent = 0}, 5));
  EXPECT_TRUE(PlaysOn({.below = 1, .moves = 1, .play_on_percent = 100}, 5));
}

TEST(ClampScore, KeepsMatesAndTheValueOfNoScoreApart) {
  EXPECT_EQ(ClampScore(-32000), -32000);
  EXPECT_EQ(ClampScore(1'000'000), 32767);
  EXPECT_EQ(ClampScore(-1'000'000), -32767);
  EXPECT_EQ(ClampScore(kNoScore), kNoScore);
}

}  // namespace
}  // namespace joseki
