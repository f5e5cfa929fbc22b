#include "book/stats/pentanomial.h"

#include <cmath>
#include <vector>

#include "base/rng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::DoubleNear;

struct LlrCase {
  std::array<uint64_t, 5> pairs;
  double elo0;
  double elo1;
  EloModel model;
  double llr;
  double tolerance;
};

// Published with two digits: fishtest's reports of Stockfish's pull requests 3209, 2971, 2951,
// 3098, 3514 and 5712, 6036, and a report of fastchess. Bounds were logistic until 2021.
TEST(LogLikelihoodRatioTest, AgreesWithWhatWasPublished) {
  using enum EloModel;
  const std::vector<LlrCase> cases = {
      {{253, 4282, 17604, 4431, 286}, -0.25, 1.25, kLogistic, 2.94, 0.005},
      {{58, 3302, 33130, 3518, 84}, 0.25, 1.25, kLogistic, 2.97, 0.005},
      {{17, 253, 1042, 337, 39}, -0.5, 1.5, kLogistic, 2.96, 0.005},
      {{59, 754, 2467, 865, 75}, -0.5, 1.5, kLogistic, 2.95, 0.005},
      {{53, 2220, 21459, 2445, 47}, 0.25, 1.25, kLogistic, 2.97, 0.005},
      {{264, 5737, 31270, 5964, 269}, -0.5, 2.5, kNormalised, 2.97, 0.005},
      {{831, 31795, 68460, 32448, 834}, 0, 2, kNormalised, 2.93, 0.005},
      {{307, 54901, 140959, 56230, 281}, 0.5, 2.5, kNormalised, 2.95, 0.005},
      {{0, 1236, 4490, 1474, 1}, 0, 2, kNormalised, 2.94, 0.005},
      {{352, 579, 1264, 743, 464}, 9, 16, kNormalised, 4.60, 0.005},
  };
  for (const LlrCase& c : cases) {
    EXPECT_THAT(LogLikelihoodRatio({c.pairs}, {.elo0 = c.elo0, .elo1 = c.elo1, .model = c.model}),
                DoubleNear(c.llr, c.tolerance))
        << c.pairs[2];
  }
}

// Computed from the definition by another program: the likelihood maximised by a golden section
// over the mean with Newton's method for the two constraints inside.
TEST(LogLikelihoodRatioTest, AgreesWithAnotherComputation) {
  using enum EloModel;
  const std::vector<LlrCase> cases = {
      {{10, 20, 30, 25, 15}, 0, 20, kLogistic, 0.7369804914, 1e-8},
      {{10, 20, 30, 25, 15}, 0, 20, kNormalised, 0.6838408510, 1e-6},
      {{3, 0, 10, 0, 9}, 0, 20, kLogistic, 0.5728544234, 1e-8},
      {{40, 3, 60, 2, 20}, 0, 20, kLogistic, -2.7986630886, 1e-8},
      {{40, 3, 60, 2, 20}, -10, 10, kNormalised, -2.3833981213, 1e-6},
      {{253, 4282, 17604, 4431, 286}, -0.25, 1.25, kLogistic, 2.9383918915, 1e-7},
      {{831, 31795, 68460, 32448, 834}, 0, 2, kNormalised, 2.9328764993, 1e-5},
  };
  for (const LlrCase& c : cases) {
    EXPECT_THAT(LogLikelihoodRatio({c.pairs}, {.elo0 = c.elo0, .elo1 = c.elo1, .model = c.model}),
                DoubleNear(c.llr, c.tolerance))
        << c.pairs[0] << " " << c.elo1;
  }
}

TEST(LogLikelihoodRatioTest, TheEnds) {
  const Sprt sprt{.elo0 = 0, .elo1 = 20};
  EXPECT_EQ(LogLikelihoodRatio({}, sprt), 0);
  // For all won or all lost pairs the ratio grows with their number and stays finite.
  for (const EloModel model : {EloModel::kLogistic, EloModel::kNormalised}) {
    Sprt of = sprt;
    of.model = model;
    double last = 0;
    for (const uint64_t n : {1u, 10u, 100u, 10000u}) {
      const double won = LogLikelihoodRatio({{0, 0, 0, 0, n}}, of);
      const double lost = LogLikelihoodRatio({{n, 0, 0, 0, 0}}, of);
      EXPECT_TRUE(std::isfinite(won) && std::isfinite(lost)) << n;
      EXPECT_GT(won, last) << n;
      EXPECT_LT(lost, 0) << n;
      last = won;
    }
  }
  // Exchanging the sides turns the sign.
  const Pentanomial pairs{{10, 20, 30, 25, 15}};
  const Pentanomial turned{{15, 25, 30, 20, 10}};
  EXPECT_NEAR(LogLikelihoodRatio(pairs, {.elo0 = 0, .elo1 = 20}),
              -LogLikelihoodRatio(turned, {.elo0 = -20, .elo1 = 0}), 1e-9);
  EXPECT_NEAR(sprt.upper(), 2.9444389791664403, 1e-12);
  EXPECT_NEAR(sprt.lower(), -2.9444389791664403, 1e-12);
}

// fastchess, whose intervals are those of the observed variance: ours are a trifle wider.
TEST(EloTest, AgreesWithWhatWasPublished) {
  const Pentanomial long_match{{352, 579, 1264, 743, 464}};
  const Estimate elo = LogisticElo(long_match);
  EXPECT_NEAR(elo.value, 19.83, 0.005);
  EXPECT_NEAR(elo.high - elo.value, 6.77, 0.05);
  EXPECT_NEAR(elo.value - elo.low, 6.77, 0.05);
  const Estimate normalised = NormalisedElo(long_match);
  EXPECT_NEAR(normalised.value, 24.25, 0.005);
  EXPECT_NEAR(normalised.high - normalised.value, 8.26, 0.05);

  const Pentanomial short_match{{1, 10, 78, 48, 13}};
  EXPECT_NEAR(short_match.score(), 0.60333, 1e-5);
  EXPECT_NEAR(LogisticElo(short_match).value, 72.85, 0.005);
  EXPECT_NEAR(NormalisedElo(short_match).value, 132.30, 0.005);
  EXPECT_NEAR(NormalisedElo(short_match).high - NormalisedElo(short_match).low, 2 * 39.32, 4);
}

TEST(EloTest, FewPairsClaimLittle) {
  EXPECT_EQ(LogisticElo({}).value, 0);
  EXPECT_EQ(LogisticElo({}).low, -INFINITY);
  EXPECT_EQ(LogisticElo({}).high, INFINITY);
  // Ten pairs of one win each have no variance of their own, and still no certainty.
  const Estimate even = LogisticElo({{0, 0, 10, 0, 0}});
  EXPECT_EQ(even.value, 0);
  EXPECT_LT(even.low, -50);
  EXPECT_GT(even.high, 50);
  EXPECT_EQ(NormalisedElo({{0, 0, 10, 0, 0}}).value, 0);
  EXPECT_LT(NormalisedElo({{0, 0, 10, 0, 0}}).low, 0);
  const Estimate won = LogisticElo({{0, 0, 0, 0, 3}});
  EXPECT_EQ(won.value, INFINITY);
  EXPECT_EQ(won.high, INFINITY);
  EXPECT_LT(won.low, 250);
  EXPECT_EQ(NormalisedElo({{0, 0, 0, 0, 3}}).value, INFINITY);
}

// Intervals cover the truth at least as often as claimed, within the precision of 4,000 trials
// (three standard errors are one percent). Sides are even and uneven, results decisive and drawish,
// pairs few.
TEST(EloTest, IntervalsHoldWhatTheySay) {
  const std::vector<std::array<double, 5>> worlds = {{0.2, 0.05, 0.5, 0.05, 0.2},
                                                     {0.02, 0.2, 0.56, 0.2, 0.02},
                                                     {0.05, 0.05, 0.3, 0.1, 0.5},
                                                     {0, 0, 0.3, 0, 0.7},
                                                     {0.001, 0.1, 0.7, 0.19, 0.009}};
  Rng rng(7);
  for (const auto& world : worlds) {
    double mean = 0;
    for (int i = 0; i < 5; ++i) mean += world[i] * i / 4;
    for (const int pairs : {8, 30, 200}) {
      int held = 0;
      constexpr int kTrials = 4000;
      for (int trial = 0; trial < kTrials; ++trial) {
        Pentanomial drawn;
        for (int pair = 0; pair < pairs; ++pair) {
          double left = rng.Unit();
          int result = 0;
          while (result < 4 && (left -= world[result]) >= 0) ++result;
          ++drawn.pairs[result];
        }
        const Interval interval = ScoreInterval(drawn);
        held += interval.low <= mean && mean <= interval.high;
      }
      EXPECT_GE(held, 0.94 * kTrials) << pairs << " pairs, mean " << mean;
    }
  }
}

// The chances of error that the test promises, by trial.
TEST(SprtTest, KeepsItsPromise) {
  const Sprt sprt{.elo0 = 0, .elo1 = 40, .alpha = 0.1, .beta = 0.1};
  Rng rng(11);
  for (const double elo : {0.0, 40.0}) {
    const double p = ScoreOfElo(elo);
    int accepted = 0;
    constexpr int kTrials = 300;
    for (int trial = 0; trial < kTrials; ++trial) {
      Pentanomial pairs;
      for (;;) {
        ++pairs.pairs[2 * ((rng.Unit() < p) + (rng.Unit() < p))];
        const double llr = LogLikelihoodRatio(pairs, sprt);
        if (llr >= sprt.upper()) {
          ++accepted;
          break;
        }
        if (llr <= sprt.lower()) break;
      }
    }
    // Three standard errors of 300 trials are five percent.
    if (elo == 0) {
      EXPECT_LE(accepted, 0.15 * kTrials);
    } else {
      EXPECT_GE(accepted, 0.85 * kTrials);
    }
  }
}

TEST(SmallestGainTest, FollowsFromTheNumberOfPairs) {
  // (1.6449 + 0.8416) sqrt(0.1172 / 1000) = 0.02692 of score.
  EXPECT_NEAR(SmallestGain(kUsualPairVariance, 1000), EloOf(0.52692), 0.02);
  EXPECT_GT(SmallestGain(kUsualPairVariance, 10), 150);
  EXPECT_EQ(SmallestGain(kUsualPairVariance, 0), INFINITY);
  EXPECT_EQ(SmallestGain(kUsualPairVariance, 2), INFINITY);
}

}  // namespace
}  // namespace joseki::book
