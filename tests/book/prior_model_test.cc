#include "book/tuning/prior_model.h"

#include <cmath>
#include <vector>

#include "base/rng.h"
#include "book/tuning/exact_math.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

// A move that won `wins` of `games`.
JudgedMove Judged(int centipawns, uint32_t wins, uint32_t games, uint32_t draws = 0) {
  return {centipawns, {.wins = wins, .draws = draws, .losses = games - wins - draws, .repeats = 9}};
}

TEST(PriorModel, ScoresAreExpectedResults) {
  EXPECT_DOUBLE_EQ(ExpectedResult(0, 600), 0.5);
  EXPECT_NEAR(ExpectedResult(600, 600), 1 / (1 + std::exp(-1)), 1e-12);
  EXPECT_NEAR(ExpectedResult(-250, 500) + ExpectedResult(250, 500), 1, 1e-12);
  EXPECT_NEAR(ExpectedResult(32'000, 600), 1, 1e-12);
  const Prior prior = PriorOf(600, {.scale = 600, .milli_games = 42'500});
  EXPECT_FLOAT_EQ(prior.value, static_cast<float>(1 / (1 + std::exp(-1))));
  EXPECT_FLOAT_EQ(prior.games, 42.5F);
  // An older profile's is discounted.
  EXPECT_FLOAT_EQ(PriorOf(600, {.scale = 600, .milli_games = 42'500}, true).games, 8.5F);
}

TEST(PriorModel, GamesVaryAsThoseOfAMoveDo) {
  // Without games the assumed variance applies.
  EXPECT_DOUBLE_EQ(GameVariance({}), 0.235);
  // 6,000 wins and 4,000 losses: p (1 - p) n, beside a hundred games of the assumption.
  const JudgedMove decided = Judged(0, 6000, 10'000);
  EXPECT_NEAR(GameVariance(std::vector{decided}), (0.24 * 10'000 + 23.5) / (9999 + 100), 1e-12);
  // Draws vary less: (1/4 of the games) * 0.25 and so on.
  const JudgedMove drawn = Judged(0, 2500, 10'000, 5000);
  EXPECT_NEAR(GameVariance(std::vector{drawn}), (0.125 * 10'000 + 23.5) / (9999 + 100), 1e-12);
}

TEST(PriorModel, TheErrorIsTheSpreadBeyondChance) {
  // With equal numbers of games the root is known: mean squared distance / s2 - 1 / n.
  const std::vector<Spread> moves = {{0.04, 50}, {0.0025, 50}, {0.01, 50}, {0.0225, 50}};
  const double mean = (0.04 + 0.0025 + 0.01 + 0.0225) / 4;
  EXPECT_NEAR(ErrorVariance(moves, 0.24, 0), mean / 0.24 - 1.0 / 50, 1e-9);
  // No spread beyond chance: the largest allowed trust.
  EXPECT_NEAR(ErrorVariance(std::vector<Spread>{{0.24 / 50, 50}}, 0.24, 0), 1.0 / 300, 1e-12);
  // More spread than the bounds allow for: the smallest trust.
  EXPECT_NEAR(ErrorVariance(std::vector<Spread>{{0.9, 50}}, 0.24, 0), 1.0 / 4, 1e-12);
  // No moves but the assumed ones.
  EXPECT_NEAR(ErrorVariance({}, 0.24, kAssumedMoves), 1.0 / 60, 1e-9);
  // With unequal numbers the equation of Paule and Mandel holds.
  const std::vector<Spread> unequal = {{0.04, 20}, {0.003, 400}, {0.02, 70}, {0.015, 5000}};
  const double error = ErrorVariance(unequal, 0.24, 0);
  double sum = 0;
  for (const Spread& move : unequal) sum += move.squared / (0.24 * (error + 1 / move.games));
  EXPECT_NEAR(sum, 4, 1e-6);
}

TEST(PriorModel, WithoutGamesItIsTheDefault) {
  EXPECT_EQ(FitPriorModel({}), PriorModel());
  EXPECT_EQ(FitPriorModel(std::vector{Judged(100, 0, 0)}), PriorModel());
}

// Moves whose true results are known, their evaluations wrong by a normal error.
std::vector<JudgedMove> Sample(double error_cp, double scale, size_t moves, uint32_t games,
                               uint64_t seed) {
  Rng rng(seed);
  std::vector<JudgedMove> sample;
  for (size_t i = 0; i < moves; ++i) {
    const double truth = 150 * Normal(rng);
    const double p = 1 / (1 + std::exp(-truth / scale));
    uint32_t wins = 0;
    for (uint32_t game = 0; game < games; ++game) wins += rng.Unit() < p ? 1 : 0;
    sample.push_back(
        Judged(static_cast<int>(std::lround(truth + error_cp * Normal(rng))), wins, games));
  }
  return sample;
}

TEST(PriorModel, FindsWhatEvaluationsAreWorth) {
  // Errors after choosing the best line through evaluations. With truth of deviation 150 and an
  // error of 80 they are 150^2 * 80^2 / (150^2 + 80^2) = 70.6^2 centipawns, with a slope of 0.78.
  // Near an even score a centipawn is 1 / 2400 of a result. An evaluation is thus worth about 0.24
  // * 2400^2 / 70.6^2 = 277 games.
  const PriorModel good = FitPriorModel(Sample(80, 600, 4000, 300, 7));
  EXPECT_NEAR(good.scale, 600 / 0.78, 40);
  EXPECT_NEAR(good.milli_games, 277'000, 45'000);
  // Twice as wrong: 150^2 * 250^2 / (150^2 + 250^2) = 128.6^2.
  const PriorModel bad = FitPriorModel(Sample(250, 600, 4000, 300, 8));
  EXPECT_NEAR(bad.milli_games, 83'600, 12'000);
  EXPECT_GT(bad.scale, good.scale);
  // Few games say little: the model stays near the assumption.
  const PriorModel few = FitPriorModel(Sample(80, 600, 20, 2, 9));
  EXPECT_NEAR(few.milli_games, 60'000, 25'000);
}

TEST(PriorModel, DoesNotDependOnTheOrderOfMoves) {
  std::vector<JudgedMove> moves = Sample(100, 500, 300, 40, 3);
  const PriorModel model = FitPriorModel(moves);
  std::vector<JudgedMove> others(moves.rbegin(), moves.rend());
  const PriorModel again = FitPriorModel(others);
  EXPECT_NEAR(again.scale, model.scale, 1);
  EXPECT_NEAR(again.milli_games, model.milli_games, 2);
}

TEST(PriorModel, TakesWhatEvaluationsOfMatesSay) {
  const std::vector<JudgedMove> moves = {Judged(32'000, 50, 50), Judged(-32'000, 0, 50),
                                         Judged(0, 25, 50)};
  const PriorModel model = FitPriorModel(moves);
  EXPECT_GT(model.milli_games, 60'000u);
  EXPECT_LE(model.milli_games, PriorModel::kMostMilliGames);
}

}  // namespace
}  // namespace joseki::book
