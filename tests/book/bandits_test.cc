#include "book/tuning/bandits.h"

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/tuning/exact_math.h"
#include "book/tuning/goals.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::HasSubstr;
using Options = std::map<std::string, std::string>;

std::unique_ptr<const Policy> Make(std::string_view name, const Options& options = {}) {
  auto policy = MakePolicy(name, options);
  EXPECT_TRUE(policy.ok()) << policy.status();
  return *std::move(policy);
}

double IndexOf(const Policy& policy, const std::vector<Arm>& arms, size_t i, double all) {
  return dynamic_cast<const IndexBandit&>(policy).Index(arms, i, all);
}

Arm Played(uint32_t wins, uint32_t losses, uint32_t draws = 0, int64_t base_weight = 0) {
  Arm arm;
  arm.base_weight = base_weight;
  arm.evidence.wins = wins;
  arm.evidence.losses = losses;
  arm.evidence.draws = draws;
  return arm;
}

double ShareOfFirst(const Policy& policy, const std::vector<Arm>& arms, int times) {
  Rng rng(1);
  int first = 0;
  for (int i = 0; i < times; ++i) first += policy.Choose(arms, 0, rng) == 0 ? 1 : 0;
  return static_cast<double>(first) / times;
}

TEST(ExactMath, IsExpAndLog) {
  for (double x = -50; x <= 50; x += 0.173) {
    EXPECT_NEAR(Exp(x) / std::exp(x), 1, 1e-13) << x;
    EXPECT_NEAR(Log(std::exp(x)), x, 1e-13 * std::max(1.0, std::abs(x)));
  }
  EXPECT_EQ(Exp(0), 1);
  EXPECT_EQ(Log(1), 0);
  EXPECT_GT(Exp(-1e9), 0);
  EXPECT_TRUE(std::isfinite(Exp(1e9)));
}

TEST(ExactMath, NormalIsNormal) {
  Rng rng(3);
  double sum = 0;
  double squares = 0;
  int beyond = 0;
  constexpr int kTimes = 100'000;
  for (int i = 0; i < kTimes; ++i) {
    const double x = Normal(rng);
    sum += x;
    squares += x * x;
    beyond += x > 1.6448536 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kTimes, 0, 0.015);
  EXPECT_NEAR(squares / kTimes, 1, 0.02);
  EXPECT_NEAR(static_cast<double>(beyond) / kTimes, 0.05, 0.003);
}

// By hand: ln 15 = 2.70805.
TEST(Ucb1, HasItsIndex) {
  const auto policy = Make("ucb1");
  const std::vector<Arm> arms = {Played(6, 4), Played(4, 1), Arm()};
  EXPECT_NEAR(IndexOf(*policy, arms, 0, 15), 0.6 + std::sqrt(2 * 2.70805 / 10), 1e-5);
  EXPECT_NEAR(IndexOf(*policy, arms, 1, 15), 0.8 + std::sqrt(2 * 2.70805 / 5), 1e-5);
  EXPECT_TRUE(std::isinf(IndexOf(*policy, arms, 2, 15)));
}

TEST(Ucb1Tuned, HasItsIndex) {
  const auto policy = Make("ucb1-tuned");
  // The variance, 0.24 and its allowance, is above 1/4.
  EXPECT_NEAR(IndexOf(*policy, {Played(6, 4)}, 0, 15), 0.6 + std::sqrt(0.270805 * 0.25), 1e-5);
  // ln 1100 = 7.00307: V = 0.09 + sqrt(0.01400613) = 0.208347.
  EXPECT_NEAR(IndexOf(*policy, {Played(900, 100)}, 0, 1100), 0.938198, 1e-5);
  // A move that was always drawn has no variance of its own.
  EXPECT_NEAR(IndexOf(*policy, {Played(0, 0, 1000)}, 0, 1100),
              0.5 + std::sqrt(0.00700307 * 0.118347), 1e-5);
}

// kl(1/2, m) = -ln(4 m (1 - m)) / 2; equal to ln 2 at m = (1 + sqrt(3) / 2) / 2.
TEST(KlUcb, HasItsIndex) {
  const auto policy = Make("kl-ucb");
  EXPECT_NEAR(IndexOf(*policy, {Played(0, 0, 1)}, 0, 2), 0.9330127, 1e-6);
  // kl(0, m) = -ln(1 - m): of ten losses among e^5 games, m = 1 - e^-0.5.
  EXPECT_NEAR(IndexOf(*policy, {Played(0, 10)}, 0, std::exp(5.0)), 1 - std::exp(-0.5), 1e-6);
  EXPECT_NEAR(IndexOf(*policy, {Played(10, 0)}, 0, 100), 1, 1e-6);
}

TEST(Puct, HasItsIndex) {
  const auto policy = Make("puct");
  const std::vector<Arm> arms = {Played(6, 4, 0, 3), Played(4, 1, 0, 1), Played(0, 0, 0, 0)};
  EXPECT_NEAR(IndexOf(*policy, arms, 0, 15), 0.6 + 0.75 * 4 / 11, 1e-12);
  EXPECT_NEAR(IndexOf(*policy, arms, 1, 15), 0.8 + 0.25 * 4 / 6, 1e-12);
  EXPECT_NEAR(IndexOf(*policy, arms, 2, 15), 10.0 / 15, 1e-12);  // as the position
  EXPECT_NEAR(IndexOf(*Make("puct", {{"c", "0.3"}}), arms, 0, 15), 0.6 + 0.3 * 0.75 * 4 / 11,
              1e-12);
  // Without base weights every move has the same share.
  EXPECT_NEAR(IndexOf(*policy, {Played(1, 1), Arm()}, 0, 3), 0.5 + 0.5 * 2 / 3, 1e-12);
}

TEST(Optimistic, BeginsAboveWhatIsExpectedAndComesDown) {
  const auto policy = Make("optimistic");
  const std::vector<Arm> arms = {Played(6, 4), Arm()};
  EXPECT_NEAR(IndexOf(*policy, arms, 0, 10), 7.0 / 11, 1e-12);
  EXPECT_EQ(IndexOf(*policy, arms, 1, 10), 1);
  // Each loss lowers a move below those not tried: all are tried before one is repeated.
  std::vector<Arm> lost(5);
  Rng rng(2);
  for (int i = 0; i < 5; ++i) {
    const size_t chosen = policy->Choose(lost, 0, rng);
    EXPECT_EQ(lost[chosen].evidence.games(), 0u);
    policy->Credit(lost[chosen], Score::kLoss, 0);
  }
}

// Mean of scores, not sum: 3-0 before 50-45. By the lower bound it is the other way round.
TEST(Answers, AreOfTheRuleNamed) {
  const std::vector<Arm> arms = {Played(3, 0), Played(50, 45), Played(20, 8), Arm()};
  EXPECT_EQ(AnswerBy(AnswerRule::kMean, arms, {}), 0u);
  EXPECT_EQ(AnswerBy(AnswerRule::kVisits, arms, {}), 1u);
  EXPECT_EQ(AnswerBy(AnswerRule::kLowerBound, arms, {}), 2u);
  for (const AnswerRule rule :
       {AnswerRule::kMean, AnswerRule::kVisits, AnswerRule::kLowerBound, AnswerRule::kValue}) {
    EXPECT_FALSE(InWords(rule).empty());
  }
  EXPECT_EQ(Make("ucb1", {{"answer", "mean"}})->Answer(arms), 0u);
  EXPECT_EQ(Make("ucb1")->Answer(arms), 1u);
  EXPECT_EQ(Make("ucb1", {{"answer", "lower-bound"}})->Answer(arms), 2u);
}

TEST(Draws, AreWorthTheSameToBothColoursTogether) {
  const auto policy = Make("thompson", {{"draw_value", "0.4"}});
  const std::vector<Arm> arms = {Played(0, 0, 10)};
  Choices first(arms);
  Choices second(arms);
  second.mover = Color::kSecond;
  EXPECT_NEAR(policy->Weight(first, 0), 0.4, 1e-12);
  EXPECT_NEAR(policy->Weight(second, 0), 0.6, 1e-12);
}

// One win against one loss: P(Beta(2, 1) > Beta(1, 2)) = 5/6.
TEST(Thompson, ChoosesAsOftenAsAMoveIsBest) {
  EXPECT_NEAR(ShareOfFirst(*Make("thompson"), {Played(1, 0), Played(0, 1)}, 40000), 5.0 / 6, 0.01);
  EXPECT_NEAR(ShareOfFirst(*Make("thompson"), {Arm(), Arm()}, 40000), 0.5, 0.013);
}

TEST(Softmax, ChoosesInProportion) {
  const auto policy = Make("softmax", {{"tau", "0.5"}, {"tau_end", "0.5"}});
  EXPECT_NEAR(ShareOfFirst(*policy, {Played(1, 0), Played(0, 1)}, 40000), 1 / (1 + std::exp(-2.0)),
              0.008);
  // Colder with more games: 10000 of them, from 0.5 to 0.1 at half way 1000.
  const auto cooling = Make("softmax", {{"tau", "0.5"}, {"tau_end", "0.1"}});
  const double tau = 0.1 + 0.4 / 11;
  EXPECT_NEAR(ShareOfFirst(*cooling, {Played(2750, 2250), Played(2500, 2500)}, 40000),
              1 / (1 + std::exp(-0.05 / tau)), 0.013);
}

TEST(Recency, MovesByAlpha) {
  const auto policy = Make("recency", {{"alpha", "0.5"}});
  EXPECT_FALSE(policy->order_free());
  Arm arm;
  EXPECT_EQ(policy->Weight(arm), 0.5);
  policy->Credit(arm, Score::kWin, 0);
  EXPECT_NEAR(policy->Weight(arm), 0.75, 1e-9);
  policy->Credit(arm, Score::kLoss, 0);
  EXPECT_NEAR(policy->Weight(arm), 0.375, 1e-9);
  policy->Credit(arm, Score::kDraw, 0);
  EXPECT_NEAR(policy->Weight(arm), 0.4375, 1e-9);
  // The order matters.
  Arm other;
  for (const Score score : {Score::kLoss, Score::kWin}) policy->Credit(other, score, 0);
  EXPECT_NEAR(policy->Weight(other), 0.625, 1e-9);
}

// 4 moves and 80 games: two rounds, 10 games for each of four, then 20 more for each of two.
TEST(SequentialHalving, SharesItsGamesOut) {
  const auto policy = Make("sequential-halving", {{"total_games", "80"}});
  std::vector<Arm> arms(4);
  Rng rng(4);
  for (int game = 0; game < 80; ++game) {
    const size_t i = policy->Choose(arms, 0, rng);
    policy->Credit(arms[i], i < 2 ? Score::kWin : Score::kLoss, 0);
  }
  EXPECT_EQ(arms[0].evidence.games(), 30u);
  EXPECT_EQ(arms[1].evidence.games(), 30u);
  EXPECT_EQ(arms[2].evidence.games(), 10u);
  EXPECT_EQ(arms[3].evidence.games(), 10u);
  // Positions other than the start are not halved.
  Turn further;
  further.at_start = false;
  arms = std::vector<Arm>(4);
  for (int game = 0; game < 80; ++game) {
    const size_t i = policy->Choose(arms, further, rng);
    policy->Credit(arms[i], i < 1 ? Score::kWin : Score::kLoss, 0);
  }
  EXPECT_GT(arms[0].evidence.games(), 40u);
}

// A game in flight counts as a game, neither won nor lost.
TEST(Bandits, CountGamesInFlight) {
  for (const char* name : {"ucb1", "ucb1-tuned", "kl-ucb", "puct"}) {
    const auto policy = Make(name);
    std::vector<Arm> arms = {Played(6, 4, 0, 1), Played(6, 4, 0, 1)};
    arms[0].in_flight = 5;
    EXPECT_EQ(ShareOfFirst(*policy, arms, 10), 0) << name;
    EXPECT_NEAR(policy->Weight(arms[0]), 0.6, 1e-12) << name;
  }
  // Moves that are being tried for the first time are not all chosen again.
  const auto policy = Make("ucb1");
  std::vector<Arm> arms(5);
  Rng rng(6);
  for (int i = 0; i < 5; ++i) ++arms[policy->Choose(arms, 0, rng)].in_flight;
  for (const Arm& arm : arms) EXPECT_EQ(arm.in_flight, 1u);
  policy->Choose(arms, 0, rng);
}

// Arms of known worth: after enough games the best one is found.
TEST(Bandits, FindTheBestArm) {
  const std::vector<double> worth = {0.42, 0.50, 0.66, 0.35};
  for (const char* name : {"epsilon-greedy", "recency", "softmax", "ucb1", "ucb1-tuned", "kl-ucb",
                           "thompson", "puct", "sequential-halving"}) {
    const auto policy = Make(name);
    int found = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      Rng rng(seed);
      std::vector<Arm> arms(4);
      for (int game = 0; game < 4000; ++game) {
        const size_t i = policy->Choose(arms, 0, rng);
        policy->Credit(arms[i], rng.Unit() < worth[i] ? Score::kWin : Score::kLoss, 0);
      }
      found += policy->Answer(arms) == 2 ? 1 : 0;
    }
    EXPECT_GE(found, 18) << name;
  }
}

// It answers by its own rule, and counts a draw as half a win.
TEST(Recency, HasNoOptionOfAnswersAndDraws) {
  for (const auto& [option, value] : {std::pair("answer", "visits"), {"draw_value", "0.3"}}) {
    const auto policy = MakePolicy("recency", {{option, value}});
    ASSERT_FALSE(policy.ok()) << option;
    EXPECT_EQ(ProblemOf(policy.status()).code, "unknown_policy_option");
  }
}

TEST(Bandits, RefuseImpossibleParameters) {
  struct Bad {
    const char* policy;
    const char* name;
    const char* value;
  };
  for (const Bad& bad : std::vector<Bad>{{"ucb1", "c", "-1"},
                                         {"recency", "alpha", "0"},
                                         {"recency", "alpha", "1.5"},
                                         {"softmax", "tau", "0"},
                                         {"softmax", "tau_end", "0.2"},
                                         {"thompson", "draw_value", "1.1"},
                                         {"puct", "answer", "value"},
                                         {"optimistic", "start_games", "0"},
                                         {"sequential-halving", "total_games", "0"},
                                         {"graph-puct", "answer", "mean"},
                                         {"graph-puct", "c", "nan"},
                                         {"graph-puct", "shrink", "0"},
                                         {"soft", "tau", "-0.1"},
                                         {"graph-thompson", "prior_cap", "x"},
                                         {"response", "tau", "0"},
                                         {"response", "explore", "-1"},
                                         {"response", "others", "1.1"}}) {
    const auto policy = MakePolicy(bad.policy, {{bad.name, bad.value}});
    ASSERT_FALSE(policy.ok()) << bad.policy << " " << bad.name;
    const Problem problem = ProblemOf(policy.status());
    EXPECT_EQ(problem.code, "bad_policy_option");
    EXPECT_THAT(problem.found, HasSubstr(bad.name));
    EXPECT_FALSE(problem.expected.empty());
  }
  for (const std::string_view name : PolicyNames()) {
    const auto policy = MakePolicy(name, {{"colour", "red"}});
    ASSERT_FALSE(policy.ok()) << name;
    EXPECT_EQ(ProblemOf(policy.status()).code, "unknown_policy_option") << name;
  }
}

TEST(Goals, ArePolicies) {
  for (const std::string_view goal : GoalNames()) {
    const auto named = PolicyOfGoal(goal);
    ASSERT_TRUE(named.ok()) << named.status();
    EXPECT_TRUE(MakePolicy(named->name, named->options).ok()) << goal;
  }
  const auto unknown = PolicyOfGoal("fame");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(ProblemOf(unknown.status()).code, "unknown_goal");
}

}  // namespace
}  // namespace joseki::book
