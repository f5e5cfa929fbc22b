#include "book/tuning/policy.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using Options = std::map<std::string, std::string>;

std::unique_ptr<const Policy> Make(std::string_view name, const Options& options = {}) {
  auto policy = MakePolicy(name, options);
  EXPECT_TRUE(policy.ok()) << policy.status();
  return *std::move(policy);
}

void Play(const Policy& policy, Arm& arm, int wins, int losses, int draws = 0, int stage = 0) {
  for (int i = 0; i < wins; ++i) policy.Credit(arm, Score::kWin, stage);
  for (int i = 0; i < losses; ++i) policy.Credit(arm, Score::kLoss, stage);
  for (int i = 0; i < draws; ++i) policy.Credit(arm, Score::kDraw, stage);
}

std::vector<uint32_t> CountChoices(const Policy& policy, const std::vector<Arm>& arms, int times,
                                   int stage = 0, uint64_t seed = 1) {
  std::vector<uint32_t> counts(arms.size());
  Rng rng(seed);
  for (int i = 0; i < times; ++i) ++counts[policy.Choose(arms, stage, rng)];
  return counts;
}

double ChiSquare(const std::vector<uint32_t>& counts, const std::vector<double>& shares) {
  double n = 0;
  for (const uint32_t count : counts) n += count;
  double sum = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double expected = n * shares[i];
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return sum;
}

// The thesis's tables 3.4 to 3.6: what the seven first moves of the books [1-1], [1-3] and [1-5]
// did in 1000, 3000 and 5000 games. Order: 7g7f 2g2f 5g5f 2h5h 1g1f 9g9f 2h6h.
struct TableRow {
  int plays, wins, margin, rank;
};
constexpr std::array<std::array<TableRow, 7>, 3> kTables = {{
    {{{145, 79, 13, 1},
      {164, 80, -4, 4},
      {148, 71, -6, 6},
      {137, 69, 1, 2},
      {141, 68, -5, 5},
      {132, 66, 0, 3},
      {133, 62, -9, 7}}},
    {{{462, 213, -36, 6},
      {454, 242, 30, 1},
      {443, 197, -49, 7},
      {424, 216, 8, 2},
      {427, 210, -7, 4},
      {387, 195, 3, 3},
      {401, 194, -13, 5}}},
    {{{781, 385, -11, 4},
      {713, 368, 23, 1},
      {731, 327, -77, 7},
      {719, 348, -23, 6},
      {687, 341, -5, 3},
      {676, 338, 0, 2},
      {691, 335, -21, 5}}},
}};

// 1 for the largest.
int RankOf(const Policy& policy, const std::vector<Arm>& arms, size_t i) {
  return 1 + static_cast<int>(std::count_if(arms.begin(), arms.end(), [&](const Arm& arm) {
           return policy.Weight(arm) > policy.Weight(arms[i]);
         }));
}

TEST(ResultDriven, GivesTheThesissTables) {
  const auto sums = Make("result-driven");
  const auto means = Make("sample-average");
  for (const auto& table : kTables) {
    std::vector<Arm> summed(7);
    std::vector<Arm> averaged(7);
    for (size_t i = 0; i < 7; ++i) {
      Play(*sums, summed[i], table[i].wins, table[i].plays - table[i].wins);
      Play(*means, averaged[i], table[i].wins, table[i].plays - table[i].wins);
    }
    for (size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(summed[i].sum, 16 * table[i].margin) << i;
      EXPECT_EQ(sums->Weight(summed[i]), 16.0 * table[i].margin) << i;
      EXPECT_EQ(RankOf(*sums, summed, i), table[i].rank) << i;
      EXPECT_NEAR(means->Weight(averaged[i]), static_cast<double>(table[i].wins) / table[i].plays,
                  1e-12);
    }
    EXPECT_EQ(sums->Answer(summed), means->Answer(averaged));
  }
}

// In the tables all ranks by mean equal those by sum.
TEST(SampleAverage, RanksTheThesissTablesAsTheSumDoes) {
  const auto means = Make("sample-average");
  for (const auto& table : kTables) {
    std::vector<Arm> arms(7);
    for (size_t i = 0; i < 7; ++i) {
      Play(*means, arms[i], table[i].wins, table[i].plays - table[i].wins);
    }
    for (size_t i = 0; i < 7; ++i) EXPECT_EQ(RankOf(*means, arms, i), table[i].rank) << i;
  }
}

TEST(ResultDriven, AddsTheDeltaOfTheStage) {
  const auto policy = Make("result-driven");
  Arm arm;
  Play(*policy, arm, 10, 4, 0, 0);  // 6 * 16
  Play(*policy, arm, 3, 5, 0, 1);   // -2 * 8
  Play(*policy, arm, 1, 0, 0, 4);   // 1 * 1
  Play(*policy, arm, 0, 1, 0, 9);   // after the last stage: as in the last
  EXPECT_EQ(arm.sum, 96 - 16 + 1 - 1);
  EXPECT_EQ(arm.evidence, (Evidence{14, 0, 10, 0}));
}

TEST(ResultDriven, LearnsNothingFromDraws) {
  const auto policy = Make("result-driven");
  EXPECT_FALSE(policy->LearnsFromDraws());
  Arm arm;
  Play(*policy, arm, 0, 0, 7);
  EXPECT_EQ(arm.sum, 0);
  EXPECT_EQ(arm.evidence.draws, 7u);
  EXPECT_FALSE(Counts(*policy, {Result::kDraw, Termination::kMaxPlies}));
  EXPECT_FALSE(Counts(*policy, {Result::kDraw, Termination::kRepetition}));
  EXPECT_TRUE(Counts(*policy, {Result::kFirstWins, Termination::kResign}));
  EXPECT_FALSE(Counts(*policy, {Result::kFirstWins, Termination::kCrash}));
  EXPECT_FALSE(Counts(*policy, {}));
}

TEST(ResultDriven, ChoosesEquallyAmongEqualWeights) {
  const auto policy = Make("result-driven");
  const std::vector<uint32_t> counts = CountChoices(*policy, std::vector<Arm>(7), 70000);
  EXPECT_LT(ChiSquare(counts, std::vector<double>(7, 1.0 / 7)), 16.8);  // 99 % point, 6 degrees
}

// Noise of 0..3 twice: of 16 pairs, first + 2 is larger in 13, equal in 2.
TEST(ResultDriven, ChoosesByWeightPlusNoise) {
  const auto policy = Make("result-driven", {{"rand", "3"}});
  std::vector<Arm> arms(2);
  arms[0].sum = 2;
  const std::vector<uint32_t> counts = CountChoices(*policy, arms, 32000);
  EXPECT_LT(ChiSquare(counts, {14.0 / 16, 2.0 / 16}), 6.63);  // 99 % point, 1 degree
}

TEST(ResultDriven, WithoutNoiseTakesTheLargestAndSharesTies) {
  const auto policy = Make("result-driven", {{"rand", "0"}});
  std::vector<Arm> arms(4);
  arms[1].sum = arms[3].sum = 5;
  const std::vector<uint32_t> counts = CountChoices(*policy, arms, 20000);
  EXPECT_EQ(counts[0] + counts[2], 0u);
  EXPECT_LT(ChiSquare({counts[1], counts[3]}, {0.5, 0.5}), 6.63);
}

TEST(ResultDriven, NeverChoosesAcrossAGapLargerThanTheNoise) {
  const auto policy = Make("result-driven", {{"rand", "100,200"}, {"delta", "2,1"}});
  std::vector<Arm> arms(2);
  arms[1].sum = 101;
  EXPECT_EQ(CountChoices(*policy, arms, 20000, 0)[0], 0u);
  EXPECT_GT(CountChoices(*policy, arms, 20000, 1)[0], 1000u);  // stage 2: 4950 of 40401
}

TEST(ResultDriven, IsTheSameForTheSameSeed) {
  const auto policy = Make("result-driven");
  Rng a(9);
  Rng b(9);
  const std::vector<Arm> arms(5);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(policy->Choose(arms, 0, a), policy->Choose(arms, 0, b));
}

std::vector<std::vector<int64_t>> StagesOf(const Policy& policy) {
  std::vector<std::vector<int64_t>> rows;
  for (const Stage& stage : policy.stages()) {
    rows.push_back({stage.delta, stage.rand, static_cast<int64_t>(stage.games)});
  }
  return rows;
}

TEST(ResultDriven, HasTheThesissStages) {
  EXPECT_THAT(
      StagesOf(*Make("result-driven")),
      ElementsAre(ElementsAre(16, 512, 1000), ElementsAre(8, 512, 1000), ElementsAre(4, 512, 1000),
                  ElementsAre(2, 512, 1000), ElementsAre(1, 512, 1000)));
  EXPECT_THAT(StagesOf(*Make("result-driven", {{"column", "3"}, {"delta", "16,8"}})),
              ElementsAre(ElementsAre(16, 1536, 3000), ElementsAre(8, 1536, 3000)));
}

TEST(ResultDriven, TakesItsConstantsAsOptions) {
  EXPECT_THAT(
      StagesOf(*Make("result-driven", {{"delta", "5,3"}, {"rand", "7,9"}, {"games", "40"}})),
      ElementsAre(ElementsAre(5, 7, 40), ElementsAre(3, 9, 40)));
  EXPECT_THAT(StagesOf(*Make("result-driven", {{"delta", "5,3,1"}, {"total_games", "20"}})),
              ElementsAre(ElementsAre(5, 512, 7), ElementsAre(3, 512, 7), ElementsAre(1, 512, 6)));
  EXPECT_THAT(StagesOf(*Make("result-driven", {{"total_games", "2"}})),
              ElementsAre(ElementsAre(16, 512, 1), ElementsAre(8, 512, 1)));
  EXPECT_THAT(
      StagesOf(*Make("result-driven", {{"delta", "5"}, {"games", "3"}, {"total_games", "20"}})),
      ElementsAre(ElementsAre(5, 512, 3)));
}

TEST(ResultDriven, MayStartFromFrequency) {
  std::vector<Arm> arms(3);
  arms[0].base_weight = 300;
  arms[1].base_weight = 25554;
  arms[2].base_weight = 14;
  const auto zero = Make("result-driven");
  EXPECT_EQ(zero->Weight(arms[1]), 0);
  const auto frequency = Make("result-driven", {{"start", "frequency"}});
  EXPECT_EQ(frequency->Weight(arms[0]),
            256);  // held at half the noise, so that rare moves are tried
  EXPECT_EQ(frequency->Weight(arms[1]), 256);
  EXPECT_EQ(frequency->Weight(arms[2]), 14);
  const auto capped = Make("result-driven", {{"start", "frequency"}, {"start_cap", "20"}});
  EXPECT_EQ(capped->Weight(arms[0]), 20);
  Play(*capped, arms[0], 2, 1);
  EXPECT_EQ(capped->Weight(arms[0]), 36);
  EXPECT_GT(CountChoices(*frequency, arms, 10000)[2], 300u);
}

TEST(ResultDriven, AnswersTheLargestWeightThenGamesThenBase) {
  const auto policy = Make("result-driven");
  std::vector<Arm> arms(3);
  EXPECT_EQ(policy->Answer(arms), 0u);
  arms[2].base_weight = 1;
  EXPECT_EQ(policy->Answer(arms), 2u);
  Play(*policy, arms[1], 1, 1);
  EXPECT_EQ(policy->Answer(arms), 1u);
  Play(*policy, arms[0], 1, 0);
  EXPECT_EQ(policy->Answer(arms), 0u);
}

// The thesis's 6.3: which of 3-0 and 50-45 is the better move.
TEST(Policies, SumPrefers50To45AndMeanPrefers3To0) {
  for (const auto& [name, better] : {std::pair("result-driven", 1), {"sample-average", 0}}) {
    const auto policy = Make(name);
    std::vector<Arm> arms(2);
    Play(*policy, arms[0], 3, 0);
    Play(*policy, arms[1], 50, 45);
    EXPECT_EQ(policy->Answer(arms), static_cast<size_t>(better)) << name;
  }
}

TEST(Policies, CreditsAreOrderFree) {
  struct Game {
    Score score;
    int stage;
  };
  std::vector<Game> games;
  Rng rng(4);
  for (int i = 0; i < 60; ++i) {
    games.push_back({static_cast<Score>(rng.Below(3)), static_cast<int>(rng.Below(5))});
  }
  for (const std::string_view name : PolicyNames()) {
    const auto policy = Make(name);
    if (!policy->order_free()) continue;
    Arm first;
    for (const Game& game : games) policy->Credit(first, game.score, game.stage);
    for (int round = 0; round < 10; ++round) {
      for (size_t i = games.size(); i > 1; --i) std::swap(games[i - 1], games[rng.Below(i)]);
      Arm again;
      for (const Game& game : games) policy->Credit(again, game.score, game.stage);
      EXPECT_EQ(again.sum, first.sum) << name;
      EXPECT_EQ(again.evidence, first.evidence) << name;
    }
  }
}

TEST(SampleAverage, IsTheMeanReward) {
  const auto policy = Make("sample-average");
  Arm arm;
  EXPECT_EQ(policy->Weight(arm), 0.5);
  Play(*policy, arm, 2, 1, 1);
  EXPECT_EQ(policy->Weight(arm), 2.5 / 4);
  EXPECT_EQ(arm.sum, 0);
  EXPECT_TRUE(policy->LearnsFromDraws());
  EXPECT_TRUE(Counts(*policy, {Result::kDraw, Termination::kMaxPlies}));
  EXPECT_FALSE(Counts(*policy, {Result::kDraw, Termination::kStall}));
  EXPECT_EQ(Make("sample-average", {{"draw_value", "0.25"}})->Weight(arm), 2.25 / 4);
}

TEST(SampleAverage, IsGreedyAndSharesTies) {
  const auto policy = Make("sample-average");
  std::vector<Arm> arms(4);
  Play(*policy, arms[0], 2, 1);
  Play(*policy, arms[1], 1, 2);
  Play(*policy, arms[2], 4, 2);
  const std::vector<uint32_t> counts = CountChoices(*policy, arms, 20000);
  EXPECT_EQ(counts[1] + counts[3], 0u);
  EXPECT_LT(ChiSquare({counts[0], counts[2]}, {0.5, 0.5}), 6.63);
}

// With an optimistic start every move is tried before one is repeated, even if all games are won.
TEST(SampleAverage, OptimisticStartTriesEveryMoveFirst) {
  const auto policy = Make("sample-average", {{"untried_value", "1.5"}});
  std::vector<Arm> arms(9);
  Rng rng(2);
  for (int i = 0; i < 9; ++i) {
    const size_t chosen = policy->Choose(arms, 0, rng);
    EXPECT_EQ(arms[chosen].evidence.games(), 0u);
    Play(*policy, arms[chosen], 1, 0);
  }
}

// A neutral start stays with the first move that wins.
TEST(SampleAverage, NeutralStartStaysWithAWinner) {
  const auto policy = Make("sample-average");
  std::vector<Arm> arms(9);
  Rng rng(2);
  for (int i = 0; i < 9; ++i) Play(*policy, arms[policy->Choose(arms, 0, rng)], 1, 0);
  EXPECT_EQ(std::count_if(arms.begin(), arms.end(),
                          [](const Arm& arm) { return arm.evidence.games() > 0; }),
            1);
}

TEST(SampleAverage, NeverAnswersAnUntriedMoveWhereOneWasTried) {
  const auto policy = Make("sample-average", {{"untried_value", "2"}});
  std::vector<Arm> arms(3);
  arms[2].base_weight = 9;
  EXPECT_EQ(policy->Answer(arms), 2u);
  Play(*policy, arms[1], 0, 1);
  EXPECT_EQ(policy->Answer(arms), 1u);
}

TEST(EpsilonGreedy, ExploresUniformlyWithEpsilon) {
  const auto policy = Make("epsilon-greedy");
  std::vector<Arm> arms(5);
  Play(*policy, arms[3], 1, 0);
  const std::vector<uint32_t> counts = CountChoices(*policy, arms, 50000);
  EXPECT_LT(ChiSquare(counts, {0.02, 0.02, 0.02, 0.92, 0.02}), 13.28);  // 99 % point, 4 degrees
}

TEST(EpsilonGreedy, EpsilonIsAnOption) {
  std::vector<Arm> arms(4);
  const auto greedy = Make("epsilon-greedy", {{"epsilon", "0"}});
  Play(*greedy, arms[1], 1, 0);
  EXPECT_EQ(CountChoices(*greedy, arms, 1000)[1], 1000u);
  const auto random = Make("epsilon-greedy", {{"epsilon", "1"}});
  EXPECT_LT(ChiSquare(CountChoices(*random, arms, 40000), std::vector<double>(4, 0.25)), 11.34);
}

TEST(SampleAverage, MayRunInFrozenBatches) {
  EXPECT_TRUE(Make("epsilon-greedy")->stages().empty());
  EXPECT_TRUE(Make("epsilon-greedy", {{"total_games", "500"}})->stages().empty());
  EXPECT_THAT(StagesOf(*Make("epsilon-greedy", {{"games", "1000,500"}})),
              ElementsAre(ElementsAre(0, 0, 1000), ElementsAre(0, 0, 500)));
}

// Arms of known worth: after enough games the policy has found out, and answers the best one.
TEST(Policies, FindTheBestArmOfABandit) {
  const std::array<double, 4> worth = {0.42, 0.50, 0.62, 0.35};
  for (const std::string_view name : {"result-driven", "epsilon-greedy"}) {
    const auto policy = Make(name);
    int found = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      Rng rng(seed);
      std::vector<Arm> arms(4);
      std::vector<Arm> frozen = arms;
      for (int stage = 0; stage < 5; ++stage) {
        for (int game = 0; game < 1000; ++game) {
          const size_t i = policy->Choose(policy->stages().empty() ? arms : frozen, stage, rng);
          policy->Credit(arms[i], rng.Unit() < worth[i] ? Score::kWin : Score::kLoss, stage);
        }
        frozen = arms;
      }
      found += policy->Answer(arms) == 2 ? 1 : 0;
      if (name == "epsilon-greedy") {
        EXPECT_NEAR(policy->Weight(arms[2]), worth[2], 0.05) << seed;
        EXPECT_NEAR(policy->Weight(arms[0]), worth[0], 0.20) << seed;
      }
    }
    EXPECT_GE(found, 19) << name;
  }
}

TEST(Policies, HaveNamesAndAnswerRules) {
  EXPECT_THAT(PolicyNames(), IsSupersetOf({"result-driven", "sample-average", "epsilon-greedy"}));
  for (const std::string_view name : PolicyNames()) {
    const auto policy = Make(name);
    EXPECT_EQ(policy->name(), name);
    EXPECT_FALSE(policy->answer_rule().empty());
    if (policy->estimator() != nullptr) continue;  // tests/book/graph_policies_test.cc
    Rng rng(1);
    EXPECT_EQ(policy->Choose(std::vector<Arm>(1), 0, rng), 0u);
    EXPECT_EQ(policy->Answer(std::vector<Arm>(1)), 0u);
  }
}

TEST(Policies, RefuseWhatTheyDoNotKnow) {
  const auto unknown = MakePolicy("result_driven", {});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(ProblemOf(unknown.status()).code, "unknown_policy");
  EXPECT_THAT(ProblemOf(unknown.status()).expected, HasSubstr("result-driven, sample-average"));

  struct Bad {
    const char* policy;
    Options options;
    const char* code;
    const char* names;
  };
  const std::vector<Bad> cases = {
      {"result-driven", {{"epsilon", "0.1"}}, "unknown_policy_option", "epsilon"},
      {"sample-average", {{"epsilon", "0.1"}}, "unknown_policy_option", "epsilon"},
      {"result-driven", {{"delta", ""}}, "bad_policy_option", "delta="},
      {"result-driven", {{"delta", "16,,4"}}, "bad_policy_option", "delta=16,,4"},
      {"result-driven", {{"delta", "0"}}, "bad_policy_option", "delta"},
      {"result-driven", {{"rand", "1,2"}}, "bad_policy_option", "rand"},
      {"result-driven", {{"rand", "-1"}}, "bad_policy_option", "rand"},
      {"result-driven", {{"games", "0"}}, "bad_policy_option", "games"},
      {"result-driven", {{"total_games", "none"}}, "bad_policy_option", "total_games"},
      {"result-driven", {{"column", "6"}}, "bad_policy_option", "column"},
      {"result-driven", {{"start", "one"}}, "bad_policy_option", "start"},
      {"result-driven", {{"start_cap", "0"}}, "bad_policy_option", "start_cap"},
      {"epsilon-greedy", {{"epsilon", "1.1"}}, "bad_policy_option", "epsilon"},
      {"epsilon-greedy", {{"epsilon", "nan"}}, "bad_policy_option", "epsilon"},
      {"epsilon-greedy", {{"draw_value", "-0.5"}}, "bad_policy_option", "draw_value"},
      {"sample-average", {{"untried_value", "x"}}, "bad_policy_option", "untried_value"},
  };
  for (const Bad& bad : cases) {
    const auto policy = MakePolicy(bad.policy, bad.options);
    ASSERT_FALSE(policy.ok()) << bad.names;
    const Problem problem = ProblemOf(policy.status());
    EXPECT_EQ(problem.code, bad.code) << bad.names;
    EXPECT_EQ(problem.file, "--policy-option");
    EXPECT_THAT(problem.found, HasSubstr(bad.names));
    EXPECT_FALSE(problem.expected.empty());
  }
}

}  // namespace
}  // namespace joseki::book
