#include "book/tuning/settling.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "book/tuning/line.h"
#include "book/tuning/prospects.h"
#include "book/tuning/spending.h"
#include "book/tuning/tuner.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"

namespace joseki::book {
namespace {

using joseki::testing::ToyBook;
using joseki::testing::ToyRules;

constexpr Settling kUsual = {.error = 0.05, .margin = 0.02};

Arm Played(uint32_t wins, uint32_t losses, uint32_t draws = 0) {
  Arm arm;
  arm.evidence = {wins, draws, losses, 0};
  return arm;
}

Settlement Of(const std::vector<Arm>& arms, const Settling& rule = kUsual, DrawValue draw = {}) {
  return Settle(arms, draw, rule);
}

// By hand: games 100, mixture 48: sqrt(148 ln(148 / (48 * 0.0025))) / 200 = 0.16238.
TEST(AnytimeBounds, AreThoseOfTheNormalMixture) {
  const Interval bounds = AnytimeBounds(50, 100, 0.05);
  EXPECT_NEAR(bounds.high - 0.5, 0.16228, 1e-4);
  EXPECT_NEAR(0.5 - bounds.low, bounds.high - 0.5, 1e-12);
  EXPECT_EQ(AnytimeBounds(0, 0, 0.05).low, 0);
  EXPECT_EQ(AnytimeBounds(0, 0, 0.05).high, 1);
  EXPECT_EQ(AnytimeBounds(100, 100, 0.05).high, 1);
  EXPECT_EQ(AnytimeBounds(0, 100, 0.05).low, 0);
  // Narrower with games, wider with certainty.
  EXPECT_LT(AnytimeBounds(500, 1000, 0.05).high, bounds.high);
  EXPECT_GT(AnytimeBounds(50, 100, 0.01).high, bounds.high);
}

// Testing after every game: the truth leaves the bounds in at most the promised share of runs.
// Intervals for a single test fail this.
TEST(AnytimeBounds, HoldHoweverOftenOneLooks) {
  constexpr int kRuns = 2000;
  constexpr int kGames = 1000;
  for (const double truth : {0.5, 0.2}) {
    Rng rng(static_cast<uint64_t>(1000 * truth));
    int missed = 0;
    int missed_by_one_look = 0;
    for (int run = 0; run < kRuns; ++run) {
      double points = 0;
      bool out = false;
      bool out_by_one_look = false;
      for (int n = 1; n <= kGames; ++n) {
        points += rng.Unit() < truth ? 1 : 0;
        const Interval bounds = AnytimeBounds(points, n, 0.05);
        out = out || truth < bounds.low || truth > bounds.high;
        if (n % 10 != 0 || n < 30) continue;
        const Interval look = Wilson(points, n);
        out_by_one_look = out_by_one_look || truth < look.low || truth > look.high;
      }
      missed += out ? 1 : 0;
      missed_by_one_look += out_by_one_look ? 1 : 0;
    }
    EXPECT_LE(missed, kRuns * 5 / 100) << truth;
    EXPECT_GE(missed_by_one_look, kRuns * 15 / 100) << truth;
  }
}

TEST(Settle, SaysWhatTheGamesSay) {
  struct Case {
    std::vector<Arm> arms;
    Standing standing;
    size_t best;
  };
  const std::vector<Case> cases = {
      {{}, Standing::kNoChoice, 0},
      {{Played(50, 50)}, Standing::kNoChoice, 0},
      {{Arm(), Arm()}, Standing::kOpen, 0},
      {{Played(5, 0), Played(0, 5)}, Standing::kOpen, 0},
      {{Played(60, 40), Played(40, 60)}, Standing::kOpen, 0},
      {{Played(90, 10), Played(10, 90)}, Standing::kBest, 0},
      {{Played(10, 90), Played(90, 10)}, Standing::kBest, 1},
      // A third move without games may be anything.
      {{Played(10, 90), Played(90, 10), Arm()}, Standing::kOpen, 1},
      {{Played(10, 90), Played(90, 10), Played(20, 80)}, Standing::kBest, 1},
      // Two good moves and a bad one: open until the good ones differ or are equivalent.
      {{Played(900, 100), Played(10, 90), Played(900, 100)}, Standing::kOpen, 0},
      {{Played(50000, 50000), Played(50010, 49990)}, Standing::kEquivalent, 1},
      {{Played(90000, 10000), Played(89990, 10010), Played(1, 99)}, Standing::kEquivalent, 0},
      {{Played(50000, 50000), Played(53000, 47000)}, Standing::kBest, 1},
  };
  for (const Case& c : cases) {
    const Settlement settlement = Of(c.arms);
    EXPECT_EQ(settlement.standing, c.standing) << &c - cases.data();
    EXPECT_EQ(settlement.best, c.best) << &c - cases.data();
    EXPECT_EQ(settlement.settled(),
              c.standing == Standing::kBest || c.standing == Standing::kEquivalent);
    EXPECT_EQ(settlement.possible == 0,
              c.standing == Standing::kBest || c.standing == Standing::kNoChoice);
  }
}

TEST(Settle, KeepsEquivalentsAndLeavesOutWhatLost) {
  const std::vector<Arm> arms = {Played(90000, 10000), Played(89990, 10010), Played(1, 99)};
  const Settlement settled = Of(arms);
  EXPECT_TRUE(StaysInPlay(arms, {}, kUsual, settled, 0));
  EXPECT_TRUE(StaysInPlay(arms, {}, kUsual, settled, 1));
  EXPECT_FALSE(StaysInPlay(arms, {}, kUsual, settled, 2));
}

// A drawn move against one that wins half of its games: equal by halves, not by another dial.
TEST(Settle, CountsDrawsByTheDial) {
  const std::vector<Arm> arms = {Played(0, 0, 5000), Played(2500, 2500)};
  EXPECT_FALSE(Of(arms).standing == Standing::kBest);
  EXPECT_EQ(Of(arms, kUsual, {.first = 200}).standing, Standing::kBest);
  EXPECT_EQ(Of(arms, kUsual, {.first = 200}).best, 1u);
  EXPECT_EQ(Of(arms, kUsual, {.first = 800}).best, 0u);
  Choices second(arms);
  second.mover = Color::kSecond;
  EXPECT_EQ(Settle(second, {.first = 200}, kUsual).best, 0u);
}

// Equal moves, tested after each game, are hardly ever judged different. Unequal moves are
// distinguished, and the right one is named.
TEST(Settle, HardlyEverErrsHoweverOftenOneLooks) {
  Rng rng(7);
  constexpr int kRuns = 400;
  int wrong = 0;
  int right = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<Arm> equal(3);
    bool told = false;
    for (int game = 0; game < 1500 && !told; ++game) {
      Evidence& evidence = equal[rng.Below(3)].evidence;
      ++(rng.Unit() < 0.5 ? evidence.wins : evidence.losses);
      told = Of(equal, {.error = 0.05, .margin = 0}).settled();
    }
    wrong += told ? 1 : 0;
    std::vector<Arm> unequal(2);
    Settlement settled;
    for (int game = 0; game < 1500 && !settled.settled(); ++game) {
      const size_t i = rng.Below(2);
      Evidence& evidence = unequal[i].evidence;
      ++(rng.Unit() < (i == 0 ? 0.35 : 0.6) ? evidence.wins : evidence.losses);
      settled = Of(unequal);
    }
    right += settled.standing == Standing::kBest && settled.best == 1 ? 1 : 0;
  }
  EXPECT_LE(wrong, kRuns * 5 / 100);
  EXPECT_GE(right, kRuns * 95 / 100);
}

class BookTest : public ::testing::Test {
 protected:
  void Use(std::string_view policy, const std::map<std::string, std::string>& options = {},
           int plies = 4) {
    graph_ = std::make_shared<const Graph>(Graph::Build(ToyRules(), ToyBook(plies)).value());
    policy_ = std::shared_ptr<const Policy>(MakePolicy(policy, options).value());
    tuner_ = std::make_unique<Tuner>(graph_, policy_);
    tuner_->ComputeValues();
    start_ = graph_->Find(joseki::testing::ToyPosition::Of("startpos").value().first.key());
  }
  // Makes the first move of the start the best by far, if it is `best`.
  void LoadStart(EdgeId best) {
    const Graph::Stop& at = graph_->stop(start_);
    for (EdgeId edge = at.first; edge < at.first + at.count; ++edge) {
      const uint32_t wins = edge - at.first == best ? 190 : 10;
      tuner_->Load(edge, 0, {wins, 0, 200 - wins, 0});
    }
    tuner_->ComputeValues();
  }

  std::shared_ptr<const Graph> graph_;
  std::shared_ptr<const Policy> policy_;
  std::unique_ptr<Tuner> tuner_;
  NodeId start_ = kNoNode;
};

TEST_F(BookTest, LinesLeaveOutWhatASettledPositionHasRuledOut) {
  Use("epsilon-greedy", {{"epsilon", "1"}});
  ASSERT_GE(graph_->stop(start_).count, 2u);
  LoadStart(1);
  const EdgeId first = graph_->stop(start_).first;
  Rng rng(1);
  std::vector<int> chosen(graph_->stop(start_).count);
  const LineRules settling{.deviation = 0, .max_book_plies = 0, .settling = kUsual};
  for (int i = 0; i < 200; ++i) {
    ++chosen[ChooseLine(*tuner_, start_, 0, settling, rng)->edges.at(0) - first];
  }
  EXPECT_EQ(chosen[1], 200);
  // Without the rule the policy's own probability remains.
  int others = 0;
  for (int i = 0; i < 200; ++i) {
    others += ChooseLine(*tuner_, start_, 0, {0, 0}, rng)->edges.at(0) != first + 1 ? 1 : 0;
  }
  EXPECT_GT(others, 50);
  // If every line through the remaining moves is refused, dropped moves are used rather than none.
  const auto line = ChooseLine(*tuner_, start_, 0, settling, rng, [&](const Line& refused) {
    return !refused.edges.empty() && refused.edges[0] == first + 1;
  });
  ASSERT_TRUE(line);
  EXPECT_NE(line->edges.at(0), first + 1);
}

// The side that stands for an opponent plays as opponents do, settled or not.
TEST_F(BookTest, AnOpponentDoesNotAskWhatIsSettled) {
  Use("response", {{"tau", "1000"}});
  LoadStart(1);
  Rng rng(2);
  const EdgeId first = graph_->stop(start_).first;
  int others = 0;
  for (int i = 0; i < 400; ++i) {
    const auto line = ChooseLine(*tuner_, start_, 0,
                                 {.deviation = 0, .max_book_plies = 0, .settling = kUsual}, rng);
    others += line->edges.at(0) != first + 1 ? 1 : 0;
  }
  EXPECT_GT(others, 40);  // of some 200 lines
  EXPECT_LT(others, 240);
}

TEST_F(BookTest, ProspectsAreTheSameHoweverTheyCameAbout) {
  Use("thompson");
  Prospects kept(*graph_, policy_->draw_value(), kUsual);
  EXPECT_EQ(kept.Left(0), 1);
  Rng rng(3);
  for (uint64_t game = 0; game < 400; ++game) {
    const Line line = *ChooseLine(*tuner_, start_, 0, {.deviation = 0.1}, rng);
    const Result result = rng.Unit() < 0.8 ? Result::kFirstWins : Result::kSecondWins;
    tuner_->Apply({line.edges, {result, Termination::kResign}, 0, game + 1});
    kept.Update(*tuner_, line.edges);
    if (game % 40 != 0) continue;
    Prospects fresh(*graph_, policy_->draw_value(), kUsual);
    fresh.Rebuild(*tuner_);
    EXPECT_EQ(kept.Left(game + 1), fresh.Left(game + 1)) << game;
    EXPECT_GT(kept.Left(game + 1), 0);
  }
}

// By hand: one position with a choice, which every game reaches.
TEST_F(BookTest, ProspectsAreWhatCouldStillBeFound) {
  Use("thompson", {}, 1);
  const Graph::Stop& at = graph_->stop(start_);
  const auto moves = static_cast<double>(at.count);
  tuner_->Load(at.first, 0, {60, 0, 40, 0});
  Prospects prospects(*graph_, {}, kUsual);
  prospects.Rebuild(*tuner_);
  const double low = AnytimeBounds(60, 100, kUsual.error / moves).low;
  EXPECT_NEAR(prospects.Left(100), 1 - low, 1e-5);
  // With twice as many games, half of them reached this position.
  EXPECT_NEAR(prospects.Left(200), (1 - low) / 2, 1e-5);
  LoadStart(0);
  prospects.Rebuild(*tuner_);
  EXPECT_EQ(prospects.Left(600), 0);
}

TEST_F(BookTest, AnswerChangesCountTheMovesOfTheStage) {
  Use("result-driven", {{"games", "100"}});
  AnswerChanges kept(*graph_);
  EXPECT_EQ(kept.Share(), 1);
  Rng rng(4);
  uint64_t number = 0;
  const auto play = [&](int games, double first_wins) {
    for (int i = 0; i < games; ++i) {
      const Line line = *ChooseLine(*tuner_, start_, 0, {.deviation = 0}, rng);
      const Result result = rng.Unit() < first_wins ? Result::kFirstWins : Result::kSecondWins;
      tuner_->Apply({line.edges, {result, Termination::kResign}, 0, ++number});
      kept.Update(*tuner_, line.edges);
    }
  };
  play(100, 0.5);
  EXPECT_GT(kept.Share(), 0);
  AnswerChanges fresh(*graph_);
  fresh.Rebuild(*tuner_);
  EXPECT_EQ(kept.Share(), fresh.Share());
  tuner_->Freeze();
  kept.Begin();
  EXPECT_EQ(kept.Share(), 1);
  // A further win of the answers changes none of them.
  const auto answer_line = [&] {
    std::vector<EdgeId> edges;
    for (NodeId node = start_; node != kNoNode && graph_->stop(node).count > 0;) {
      edges.push_back(graph_->stop(node).first +
                      static_cast<EdgeId>(policy_->Answer(tuner_->choices(node))));
      node = graph_->target(edges.back());
    }
    return edges;
  };
  const std::vector<EdgeId> first = {answer_line().at(0)};
  tuner_->Apply({first, {Result::kFirstWins, Termination::kResign}, 0, ++number});
  kept.Update(*tuner_, first);
  EXPECT_EQ(kept.Share(), 0);
  // A hundred losses of it do change it.
  for (int i = 0; i < 100; ++i) {
    tuner_->Apply({first, {Result::kSecondWins, Termination::kResign}, 0, ++number});
    kept.Update(*tuner_, first);
  }
  EXPECT_EQ(kept.Share(), 1);
}

TEST_F(BookTest, SpendingShowsWhereTheGamesWent) {
  Use("thompson");
  LoadStart(1);
  std::vector<uint32_t> recent(graph_->node_count());
  const NodeId busy = graph_->target(graph_->stop(start_).first);
  ASSERT_NE(busy, kNoNode);
  tuner_->Load(graph_->stop(busy).first, 0, {3, 0, 2, 4});
  recent[busy] = 5;
  recent[start_] = 2;
  const Spending spending = SpendingOf(*tuner_, kUsual, recent, 10);
  EXPECT_EQ(spending.reached, 2u);
  EXPECT_EQ(spending.settled, 1u);
  EXPECT_GT(spending.positions, 2u);
  ASSERT_EQ(spending.top.size(), 2u);
  EXPECT_EQ(spending.top[0].node, busy);
  EXPECT_EQ(spending.top[0].games, 5u);
  EXPECT_EQ(spending.top[0].repeats, 4u);
  EXPECT_EQ(spending.top[0].recent, 5u);
  EXPECT_EQ(spending.top[0].standing, Standing::kOpen);
  EXPECT_EQ(spending.top[1].node, start_);
  EXPECT_EQ(spending.top[1].standing, Standing::kBest);
  EXPECT_EQ(spending.top[1].answer, 1u);
  EXPECT_GT(spending.top[0].gain, spending.top[1].gain);
  EXPECT_EQ(SpendingOf(*tuner_, kUsual, {}, 1).top.at(0).node, start_);
}

// A move with 190 of 200 points will hardly be beaten; one with 1 of 2 may well be.
TEST(ExpectedGain, IsOfNotKnowingTheBest) {
  const std::vector<Arm> sure = {Played(190, 10), Played(10, 190)};
  EXPECT_LT(ExpectedGain(sure, {}, 0), 1e-9);
  EXPECT_NEAR(ExpectedGain(sure, {}, 1), 180.0 / 202, 1e-6);
  // Two of mean 1/2 and variance 1/12: sqrt(1/6) times the mean of half a normal.
  EXPECT_NEAR(ExpectedGain(std::vector<Arm>(2), {}, 0), std::sqrt(1.0 / 6) * 0.398942, 1e-5);
  EXPECT_EQ(ExpectedGain(std::vector<Arm>(1), {}, 0), 0);
}

}  // namespace
}  // namespace joseki::book
