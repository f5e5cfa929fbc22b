#include "book/tuning/values.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "book/simulation/world.h"
#include "book/tuning/line.h"
#include "book/tuning/tuner.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

struct Link {
  NodeId from;
  NodeId to;  // kNoNode: out of the book
};

// Nodes move in turns by their ply; links of one node stand together, in ascending order of nodes.
Graph GraphOf(const std::vector<int>& plies, const std::vector<Link>& links) {
  std::vector<Graph::Node> nodes(plies.size());
  std::vector<Graph::Edge> edges;
  for (NodeId id = 0; id < nodes.size(); ++id) {
    nodes[id].key = {0, id + 1};
    nodes[id].ply = static_cast<uint16_t>(plies[id] + 1);
    nodes[id].to_move = plies[id] % 2 == 0 ? Color::kFirst : Color::kSecond;
    nodes[id].first = static_cast<EdgeId>(edges.size());
    for (const Link& link : links) {
      if (link.from != id) continue;
      ++nodes[id].count;
      edges.push_back({Move(nodes[id].count), nodes[id].to_move, id, link.to, 1});
    }
  }
  return Graph::OfParts(std::move(nodes), std::move(edges));
}

std::shared_ptr<const Policy> Make(std::string_view name,
                                   const std::map<std::string, std::string>& options = {}) {
  return MakePolicy(name, options).value();
}

TunedGame Game(std::span<const EdgeId> edges, Result result, uint64_t hash) {
  return {edges, {result, Termination::kResign}, 0, hash};
}

// Everything that the policy would see of a book.
std::vector<Value> AllValues(const Tuner& tuner) {
  std::vector<Value> all;
  for (NodeId node = 0; node < tuner.graph().node_count(); ++node) {
    const Choices at = tuner.choices(node);
    all.insert(all.end(), at.values.begin(), at.values.end());
  }
  return all;
}

// 0 -> 1 -> 3 -> out, 0 -> 2 -> 3: position 3 is reached in two ways.
TEST(Values, TranspositionsShareWhatIsKnown) {
  const auto graph = std::make_shared<const Graph>(
      GraphOf({0, 1, 1, 2}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, kNoNode}, {3, kNoNode}}));
  Tuner tuner(graph, Make("graph-puct", {{"shrink", "0.01"}}));
  tuner.ComputeValues();
  const std::vector<EdgeId> by_first = {0, 2, 4};
  for (uint64_t i = 0; i < 6; ++i) tuner.Apply(Game(by_first, Result::kFirstWins, i));
  // All games began with the first move. The second player's move in the other line is worth the
  // same, because it leads to the same position.
  EXPECT_NEAR(tuner.choices(1).values[0].own.score(), tuner.choices(2).values[0].own.score(), 0.01);
  EXPECT_LT(tuner.choices(2).values[0].own.score(), 0.3);
  EXPECT_GT(tuner.choices(0).values[0].own.score(), 0.7);
}

// By hand, for shrink 4. Position 1: six games, six wins; two games shrink its mean to 1/2: (6 + 1)
// / 8 = 0.875. The moves are compared with (2 x 0.875 + 2.4 x 1) / 4.4 = 0.94318, where 2.4 = 6 x 4
// / (6 + 4) is the weight of the move played. That move is worth (6 x 1 + 4 x 0.94318) / 10.
// Position 0: the same for six games without a win.
TEST(Values, AreTheMeansOfTheGames) {
  const auto graph =
      std::make_shared<const Graph>(GraphOf({0, 1}, {{0, 1}, {1, kNoNode}, {1, kNoNode}}));
  Tuner tuner(graph, Make("graph-puct", {{"shrink", "4"}}));
  tuner.ComputeValues();
  const std::vector<EdgeId> line = {0, 1};
  for (uint64_t i = 0; i < 6; ++i) tuner.Apply(Game(line, Result::kSecondWins, i));
  EXPECT_NEAR(tuner.choices(1).values[0].own.score(), 0.97727, 2e-5);
  EXPECT_NEAR(tuner.choices(1).values[0].own.var(), 0.235 / 10, 1e-6);
  EXPECT_NEAR(tuner.choices(1).values[1].own.score(), 0.94318, 2e-5);  // no game
  EXPECT_NEAR(tuner.choices(0).values[0].own.score(), 0.04132, 2e-5);
}

TEST(Values, EvaluationsCountAsGames) {
  const auto graph = std::make_shared<const Graph>(GraphOf({0}, {{0, kNoNode}, {0, kNoNode}}));
  const auto priors = std::make_shared<const Priors>(Priors{{0.75F, 96}, {0.25F, 96}});
  Tuner tuner(graph, Make("graph-puct"), priors);
  tuner.ComputeValues();
  EXPECT_NEAR(tuner.choices(0).values[0].own.score(), (0.75 * 96 + 0.5 * 4) / 100, 2e-5);
  EXPECT_NEAR(tuner.choices(0).values[1].own.score(), (0.25 * 96 + 0.5 * 4) / 100, 2e-5);
  // Trusted no more than the cap says.
  Tuner capped(graph, Make("graph-puct", {{"prior_cap", "6"}}), priors);
  capped.ComputeValues();
  EXPECT_NEAR(capped.choices(0).values[0].own.score(), (0.75 * 6 + 0.5 * 4) / 10, 2e-5);
}

// Games whose line was cut at position 1 give its value, although no move of it was played.
TEST(Values, LinesThatStopSayWhatThePositionIsWorth) {
  const auto graph =
      std::make_shared<const Graph>(GraphOf({0, 1}, {{0, 1}, {0, kNoNode}, {1, kNoNode}}));
  Tuner tuner(graph, Make("graph-puct"));
  tuner.ComputeValues();
  const std::vector<EdgeId> line = {0};
  for (uint64_t i = 0; i < 50; ++i) tuner.Apply(Game(line, Result::kFirstWins, i));
  EXPECT_GT(tuner.choices(0).values[0].own.score(), 0.95);
}

// The two colours' draws make one win.
TEST(Values, DrawsAreWorthWhatTheDialSays) {
  const auto graph = std::make_shared<const Graph>(GraphOf({0, 1}, {{0, 1}, {1, kNoNode}}));
  Tuner tuner(graph, Make("graph-puct", {{"draw_value", "0.3"}, {"shrink", "0.01"}}));
  tuner.ComputeValues();
  const std::vector<EdgeId> line = {0, 1};
  for (uint64_t i = 0; i < 1000; ++i) tuner.Apply(Game(line, Result::kDraw, i));
  EXPECT_NEAR(tuner.choices(0).values[0].own.score(), 0.3, 1e-3);
  EXPECT_NEAR(tuner.choices(1).values[0].own.score(), 0.7, 1e-3);
}

// 0 -> 1 -> 2 -> 1: the move back to 1 has the value of its own games, never that of position 1.
TEST(Values, ACycleDoesNotFeedItself) {
  const auto graph = std::make_shared<const Graph>(
      GraphOf({0, 1, 2}, {{0, 1}, {1, 2}, {1, kNoNode}, {2, 1}, {2, kNoNode}}));
  const std::vector<EdgeId> round = {0, 1, 3};
  const std::vector<EdgeId> out = {0, 2};
  for (const char* name : {"graph-puct", "graph-thompson", "soft", "response"}) {
    Tuner tuner(graph, Make(name));
    tuner.ComputeValues();
    for (uint64_t i = 0; i < 30; ++i) tuner.Apply(Game(round, Result::kDraw, i));
    const Value before = tuner.choices(2).values[0];
    EXPECT_NEAR(before.own.score(), 0.5, 0.01) << name;
    for (uint64_t i = 30; i < 60; ++i) tuner.Apply(Game(out, Result::kSecondWins, i));
    EXPECT_EQ(tuner.choices(2).values[0], before) << name;
    EXPECT_GT(tuner.choices(1).values[1].own.score(), before.own.score() + 0.1) << name;
  }
}

// Values follow from the arms: game by game they are those of all games at once, in any order.
TEST(Values, DoNotDependOnHowTheyCameAbout) {
  WorldOptions options;
  options.positions = 300;
  options.transposing = 0.3;
  const World world = MakeWorld(options, 3);
  for (const std::string_view name : PolicyNames()) {
    const std::shared_ptr<const Policy> policy = Make(name);
    if (policy->estimator() == nullptr) continue;
    Tuner live(world.graph, policy, world.priors);
    std::vector<std::vector<EdgeId>> lines;
    std::vector<Result> results;
    Rng rng(7);
    for (uint64_t i = 0; i < 400; ++i) {
      const auto line = ChooseLine(live, world.start, 0, {0.05, 0}, rng);
      lines.push_back(line->edges);
      results.push_back(static_cast<Result>(1 + rng.Below(3)));
      live.Apply(Game(lines.back(), results.back(), i));
    }
    Tuner bulk(world.graph, policy, world.priors);
    Tuner loaded(world.graph, policy, world.priors);
    for (uint64_t i = 400; i-- > 0;) bulk.Apply(Game(lines[i], results[i], i));
    for (EdgeId edge = 0; edge < world.graph->edge_count(); ++edge) {
      loaded.Load(edge, live.arms()[edge].sum, live.arms()[edge].evidence);
    }
    bulk.ComputeValues();
    loaded.ComputeValues();
    EXPECT_TRUE(AllValues(bulk) == AllValues(live)) << name;
    EXPECT_TRUE(AllValues(loaded) == AllValues(live)) << name;
  }
}

// The changes that Apply reports are complete.
TEST(Values, TouchedAreThePositionsWhoseChoicesChange) {
  WorldOptions options;
  options.positions = 300;
  const World world = MakeWorld(options, 4);
  Tuner tuner(world.graph, Make("soft"), world.priors);
  Rng rng(5);
  for (uint64_t i = 0; i < 100; ++i) {
    const auto line = ChooseLine(tuner, world.start, 0, {0.01, 0}, rng);
    std::vector<std::vector<Value>> before;
    for (NodeId node = 0; node < world.graph->node_count(); ++node) {
      const Choices at = tuner.choices(node);
      before.emplace_back(at.values.begin(), at.values.end());
    }
    tuner.Apply(Game(line->edges, Result::kFirstWins, i));
    std::vector<bool> touched(world.graph->node_count());
    for (const NodeId node : tuner.touched()) touched[node] = true;
    for (NodeId node = 0; node < world.graph->node_count(); ++node) {
      const Choices at = tuner.choices(node);
      const bool same = std::equal(at.values.begin(), at.values.end(), before[node].begin());
      EXPECT_TRUE(same || touched[node]) << node;
    }
  }
}

// One position whose second move nobody plays: where the first side is an opponent.
std::vector<int> OpponentsChoices(const std::string& others) {
  std::vector<Graph::Node> nodes(1);
  nodes[0].key = {0, 1};
  nodes[0].ply = 1;
  nodes[0].count = 2;
  std::vector<Graph::Edge> edges = {{Move(1), Color::kFirst, 0, kNoNode, 1'000'000},
                                    {Move(2), Color::kFirst, 0, kNoNode, 0}};
  const auto policy = Make("response", {{"others", others}, {"rarity", "0"}});
  Tuner tuner(std::make_shared<const Graph>(Graph::OfParts(std::move(nodes), std::move(edges))),
              policy);
  Turn turn;
  turn.line = 1;  // the second side stands for the book
  Rng rng(3);
  std::vector<int> choices(2);
  for (int i = 0; i < 10'000; ++i) ++choices[policy->Choose(tuner.selection(0), turn, rng)];
  return choices;
}

// Another book may have found that a move is good which hardly anybody plays.
TEST(Response, ExpectsMovesThatNobodyPlaysFromOthers) {
  EXPECT_LE(OpponentsChoices("0")[1], 2);
  EXPECT_NEAR(OpponentsChoices("0.2")[1], 1'000, 100);  // a half of the fifth that knows nothing
  EXPECT_NEAR(OpponentsChoices("1")[1], 5'000, 200);
}

}  // namespace
}  // namespace joseki::book
