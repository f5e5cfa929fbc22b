#include "tests/engine/search/spsa.h"

#include <cmath>

#include "base/rng.h"
#include "gtest/gtest.h"

namespace joseki {
namespace {

SpsaPlan TwoKnobs() {
  return {.knobs = {{.name = "x", .start = 20, .low = 0, .high = 200, .step = 10},
                    {.name = "y", .start = 8, .low = 1, .high = 9, .step = 1}},
          .iterations = 20'000,
          .rate = 0.02,
          .seed = 3};
}

// Wins less losses of a random pair of games between two settings. Strength is greatest at x = 60
// and y = 4.
double PlayPair(const Spsa::Probe& probe, Rng& rng) {
  const auto strength = [](const std::vector<int>& v) {
    const double x = (v[0] - 60) / 20.0;
    const double y = (v[1] - 4) / 2.0;
    return -0.4 * (x * x + y * y);
  };
  const double chance = 1 / (1 + std::exp(strength(probe.b) - strength(probe.a)));
  double result = 0;
  for (int game = 0; game < 2; ++game) result += rng.Unit() < chance ? 1 : -1;
  return result;
}

TEST(Spsa, FindsTheBestValuesFromNoisyGames) {
  Spsa spsa(TwoKnobs());
  Rng rng(11);
  while (spsa.learned() < 20'000) spsa.Learn(PlayPair(spsa.Next(), rng));
  EXPECT_NEAR(spsa.values()[0], 60, 6);
  EXPECT_NEAR(spsa.values()[1], 4, 0.6);
}

TEST(Spsa, StaysWhereItIsWhenNothingMatters) {
  SpsaPlan plan = TwoKnobs();
  plan.rate = 0.002;
  Spsa spsa(plan);
  Rng rng(12);
  for (int i = 0; i < 2'000; ++i) spsa.Learn(rng.Unit() < 0.5 ? 1 : -1);
  EXPECT_NEAR(spsa.values()[0], 20, 15);
  EXPECT_NEAR(spsa.values()[1], 8, 1.5);
}

TEST(Spsa, DrawsWholeNumbersWhoseMeanIsTheValue) {
  SpsaPlan plan = TwoKnobs();
  plan.knobs = {{.name = "x", .start = 2.3, .low = 0, .high = 6, .step = 0.4}};
  plan.iterations = 4'000;
  const Spsa spsa(plan);
  double middle = 0;
  double apart = 0;
  for (uint64_t i = 0; i < 4'000; ++i) {
    const Spsa::Probe probe = spsa.Next(i);
    middle += (probe.a[0] + probe.b[0]) / 2.0 / 4'000;
    apart += std::abs(probe.a[0] - probe.b[0]) / 4'000.0;
  }
  EXPECT_NEAR(middle, 2.3, 0.03);
  EXPECT_NEAR(apart, 0.8, 0.15);  // twice the step, a little more at the start
}

TEST(Spsa, KeepsToTheRange) {
  SpsaPlan plan = TwoKnobs();
  plan.rate = 5;
  Spsa spsa(plan);
  Rng rng(4);
  for (int i = 0; i < 500; ++i) {
    const Spsa::Probe probe = spsa.Next();
    for (const auto* side : {&probe.a, &probe.b}) {
      EXPECT_GE((*side)[0], 0);
      EXPECT_LE((*side)[0], 200);
      EXPECT_GE((*side)[1], 1);
      EXPECT_LE((*side)[1], 9);
    }
    spsa.Learn(rng.Unit() < 0.5 ? 2 : -2);
  }
}

TEST(Spsa, SameResultsMeanSameValuesAndProbes) {
  Spsa one(TwoKnobs());
  Spsa other(TwoKnobs());
  Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    const double result = rng.Unit() < 0.5 ? 2 : 0;
    one.Learn(result);
    other.Learn(result);
  }
  EXPECT_EQ(one.values(), other.values());
  EXPECT_EQ(one.Next(3).a, other.Next(3).a);
  SpsaPlan plan = TwoKnobs();
  plan.seed = 4;
  Spsa seeded(plan);
  int differ = 0;
  for (uint64_t i = 0; i < 20; ++i) differ += seeded.Next(i).a != Spsa(TwoKnobs()).Next(i).a;
  EXPECT_GT(differ, 5);
}

}  // namespace
}  // namespace joseki
