#include "book/simulation/simulate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/problem.h"
#include "book/simulation/standard_table.h"
#include "book/stats/interval.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

WorldOptions Small(const char* name = "mild") {
  WorldOptions options = *NamedWorld(name);
  options.positions = 400;
  options.depth = 8;
  return options;
}

SimulationOptions Options(const std::string& policy, std::vector<uint64_t> games) {
  SimulationOptions options;
  options.policy = policy;
  options.games = std::move(games);
  return options;
}

TEST(World, IsTheSameForTheSameSeed) {
  const World a = MakeWorld(Small(), 3);
  const World b = MakeWorld(Small(), 3);
  const World c = MakeWorld(Small(), 4);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(*a.priors, *b.priors);
  EXPECT_NE(a.score, c.score);
  EXPECT_FALSE(NamedWorld("harsh"));
}

// The best answers in fact.
std::vector<EdgeId> PerfectAnswers(const World& world) {
  const Graph& graph = *world.graph;
  std::vector<EdgeId> answers(graph.node_count(), kNoEdge);
  for (NodeId node = 0; node < answers.size(); ++node) {
    const double sign = graph.node(node).to_move == Color::kFirst ? 1 : -1;
    for (const Graph::Edge& edge : graph.moves(node)) {
      const EdgeId known = answers[node];
      if (known == kNoEdge ||
          sign * world.score[edge.to] > sign * world.score[graph.edge(known).to]) {
        answers[node] = graph.IdOf(edge);
      }
    }
  }
  return answers;
}

// The moves played most often.
std::vector<EdgeId> MostFrequent(const World& world) {
  const Graph& graph = *world.graph;
  std::vector<EdgeId> answers(graph.node_count(), kNoEdge);
  for (NodeId node = 0; node < answers.size(); ++node) {
    const Graph::Node& at = graph.node(node);
    if (at.count == 0) continue;
    const auto first = world.shares.begin() + at.first;
    answers[node] =
        static_cast<EdgeId>(std::max_element(first, first + at.count) - world.shares.begin());
  }
  return answers;
}

// Elo of a player of the book's frequencies over one who chooses evenly.
double FrequencyOverEven(const World& world) {
  const Graph& graph = *world.graph;
  std::vector<NodeId> nodes(graph.node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  // Moves lead to positions of higher ply.
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](NodeId a, NodeId b) { return graph.node(a).ply > graph.node(b).ply; });
  double at_start[2] = {};
  for (const Color side : {Color::kFirst, Color::kSecond}) {
    std::vector<double> score = world.score;
    for (const NodeId node : nodes) {
      const Graph::Node& at = graph.node(node);
      if (at.count == 0) continue;
      double sum = 0;
      for (const Graph::Edge& edge : graph.moves(node)) {
        sum += score[edge.to] * (at.to_move == side ? world.shares[graph.IdOf(edge)]
                                                    : 1.0 / static_cast<double>(at.count));
      }
      score[node] = sum;
    }
    at_start[Index(side)] = score[world.start];
  }
  return EloOf(0.5 * (at_start[0] + 1 - at_start[1]));
}

// The figures of the two worlds in docs/laboratory/tuning.md.
TEST(World, IsAsDescribed) {
  struct Expected {
    const char* name;
    double perfect, frequent, exploitability, over_even;
  };
  for (const Expected& expected :
       {Expected{"mild", 18, 5.4, 0.074, 18}, Expected{"tacos", 34, 0.7, 0.158, 63}}) {
    std::vector<double> perfect, frequent, exploitability, over_even;
    double positions = 0;
    double edges = 0;
    constexpr int kBooks = 60;
    for (uint64_t seed = 1; seed <= kBooks; ++seed) {
      const World world = MakeWorld(*NamedWorld(expected.name), seed);
      EXPECT_NEAR(QualityOf(world, PerfectAnswers(world)).exploitability, 0, 1e-12);
      perfect.push_back(QualityOf(world, PerfectAnswers(world)).elo);
      const Quality quality = QualityOf(world, MostFrequent(world));
      frequent.push_back(quality.elo);
      exploitability.push_back(quality.exploitability);
      over_even.push_back(FrequencyOverEven(world));
      positions += static_cast<double>(world.graph->node_count()) / kBooks;
      edges += static_cast<double>(world.graph->edge_count()) / kBooks;
    }
    const auto near = [](const std::vector<double>& values, double wanted) {
      const Mean mean = MeanOf(values);
      EXPECT_NEAR(mean.mean, wanted, 4 * mean.standard_error);
    };
    near(perfect, expected.perfect);
    near(frequent, expected.frequent);
    near(exploitability, expected.exploitability);
    near(over_even, expected.over_even);
    EXPECT_NEAR(positions, 2500, 5);
    EXPECT_NEAR(edges / positions, 1.055, 0.02);  // moves that transpose
  }
}

TEST(Simulate, IsTheSameForTheSameSeedOnAnyNumberOfThreads) {
  for (const char* policy : {"response", "result-driven", "kl-ucb"}) {
    SimulationOptions options = Options(policy, {100, 300});
    options.in_flight = 16;
    const auto one = SimulateBooks(Small(), options, 5, 1);
    const auto four = SimulateBooks(Small(), options, 5, 4);
    ASSERT_TRUE(one.ok() && four.ok()) << one.status();
    ASSERT_EQ(one->size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ((*one)[i].elo.mean, (*four)[i].elo.mean);
      EXPECT_EQ((*one)[i].exploitability.mean, (*four)[i].exploitability.mean);
    }
    options.seed = 100;
    EXPECT_NE((*SimulateBooks(Small(), options, 5, 2))[1].elo.mean, (*one)[1].elo.mean);
  }
}

TEST(Simulate, EstimatesWhatEvaluationsAreWorthIfAsked) {
  // Useless evaluations, in a world that claims 200 games for them.
  WorldOptions world = Small();
  world.eval_deviation = 1000;
  SimulationOptions options = Options("response", {4000});
  const Checkpoint believed = SimulateBooks(world, options, 12, 2)->at(0);
  options.estimate_priors = true;
  const Checkpoint estimated = SimulateBooks(world, options, 12, 2)->at(0);
  EXPECT_GT(estimated.elo.mean, believed.elo.mean + 3);
  EXPECT_EQ(SimulateBooks(world, options, 12, 1)->at(0).elo.mean, estimated.elo.mean);
}

TEST(Simulate, RefusesWhatThePolicyRefuses) {
  SimulationOptions options = Options("ucb1", {10});
  options.policy_options = {{"c", "-1"}};
  const auto refused = SimulateBooks(Small(), options, 2, 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(ProblemOf(refused.status()).code, "bad_policy_option");
  EXPECT_EQ(ProblemOf(SimulateBooks(Small(), Options("x", {10}), 2, 1).status()).code,
            "unknown_policy");
  SimulationOptions folded = Options("ucb1", {10});
  folded.policy_options = {{"fold", "yes"}};
  EXPECT_EQ(ProblemOf(SimulateBooks(Small(), folded, 2, 1).status()).code, "no_symmetry");
}

// Coordinators that know nothing of each other, each with its share of the games.
TEST(Simulate, SharesGamesOutOverSeveralRuns) {
  SimulationOptions options = Options("kl-ucb", {300, 1200});
  options.in_flight = 12;
  const auto elo = [&](uint32_t parts, uint64_t merge_every) {
    options.parts = parts;
    options.merge_every = merge_every;
    const auto checkpoints = SimulateBooks(Small("tacos"), options, 12, 2);
    EXPECT_TRUE(checkpoints.ok()) << checkpoints.status();
    return (*checkpoints)[1].elo.mean;
  };
  const double whole = elo(1, 0);
  // One part is the whole run, and merging nothing changes nothing.
  EXPECT_EQ(elo(1, 100), whole);
  const double apart = elo(4, 0);
  EXPECT_EQ(elo(4, 0), apart);
  EXPECT_EQ(elo(4, 5000), apart) << "nobody met before the end";
  const double together = elo(4, 12);
  EXPECT_NE(together, apart);
  EXPECT_EQ(elo(4, 12), together);
}

TEST(Simulate, SharesNoStagesOut) {
  SimulationOptions options = Options("result-driven", {100});
  options.parts = 2;
  EXPECT_EQ(ProblemOf(SimulateBooks(Small(), options, 2, 1).status()).code, "staged_policy");
}

TEST(Simulate, PlaysEveryRowOfTheTable) {
  for (const TableRow& row : StandardTable()) {
    SimulationOptions options = Options(row.policy.name, {60});
    options.policy_options = row.policy.options;
    options.in_flight = 8;
    const auto checkpoints = SimulateBooks(Small(), options, 2, 1);
    ASSERT_TRUE(checkpoints.ok()) << row.name << checkpoints.status();
    EXPECT_TRUE(std::isfinite((*checkpoints)[0].elo.mean)) << row.name;
    EXPECT_GE((*checkpoints)[0].exploitability.mean, 0) << row.name;
  }
}

TEST(MeanOf, HasItsStandardError) {
  const Mean mean = MeanOf(std::vector<double>{1, 2, 3, 4});
  EXPECT_EQ(mean.mean, 2.5);
  EXPECT_NEAR(mean.standard_error, std::sqrt(5.0 / 3 / 4), 1e-12);
  EXPECT_TRUE(std::isinf(MeanOf(std::vector<double>{1}).standard_error))
      << "one says nothing of it";
}

}  // namespace
}  // namespace joseki::book
