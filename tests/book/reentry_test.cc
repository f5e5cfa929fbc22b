#include "book/reentry.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "book/tuning/line.h"
#include "book/tuning/tuner.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"

namespace joseki::book {
namespace {

using joseki::testing::ToyBook;
using joseki::testing::ToyMoves;
using joseki::testing::ToyPosition;
using joseki::testing::ToyRules;

std::shared_ptr<const Graph> GraphOf(int plies, std::string_view moves) {
  return std::make_shared<const Graph>(Graph::Build(ToyRules(), ToyBook(plies, moves)).value());
}

// The book's move or nothing at each position of a game, and the edges at the end.
struct Seen {
  std::vector<std::optional<Move>> due;
  std::vector<EdgeId> edges;
};
Seen Follow(const AnswerBook& book, std::string_view game, size_t line_plies) {
  Seen seen;
  Follower follower(book, line_plies);
  ToyPosition position;
  seen.due.push_back(follower.See(position.key()));
  for (const Move move : ToyMoves(game)) {
    follower.Played(move);
    position.Do(move);
    seen.due.push_back(follower.See(position.key()));
  }
  seen.edges = follower.edges();
  return seen;
}

NodeId NodeAfter(const Graph& graph, std::string_view game) {
  ToyPosition position;
  for (const Move move : ToyMoves(game)) position.Do(move);
  return graph.Find(position.key());
}

TEST(AnswerOf, IsTheLargestWeightAndTheFirstOfEquals) {
  const auto graph = GraphOf(2, "a1 a2 b1");
  const NodeId start = NodeAfter(*graph, "");
  const EdgeId first = graph->node(start).first;
  Weights weights(graph->edge_count(), 0);
  EXPECT_EQ(AnswerOf(*graph, weights, start), first);
  weights[first + 1] = 3;
  weights[first + 2] = 3;
  EXPECT_EQ(AnswerOf(*graph, weights, start), first + 1);
}

TEST(WeightsOf, GivesThePolicysAnswerEverywhere) {
  const auto graph = GraphOf(5, "a1 a2 b1 x");
  Rng rng(1);
  for (const std::string_view name : PolicyNames()) {
    const std::shared_ptr<const Policy> policy = MakePolicy(name, {}).value();
    Tuner tuner(graph, policy);
    for (EdgeId edge = 0; edge < graph->edge_count(); ++edge) {
      Evidence evidence;
      evidence.wins = static_cast<uint32_t>(rng.Below(3));
      evidence.losses = static_cast<uint32_t>(rng.Below(3));
      tuner.Load(edge, static_cast<int64_t>(rng.Below(3)), evidence);
    }
    tuner.ComputeValues();
    const Weights weights = WeightsOf(tuner);
    for (NodeId node = 0; node < graph->node_count(); ++node) {
      const Graph::Node& at = graph->node(node);
      if (at.count == 0) continue;
      const size_t answer = policy->Answer(tuner.choices(node));
      EXPECT_EQ(AnswerOf(*graph, weights, node), at.first + answer);
    }
    // Setting the weights node by node gives the same result.
    Weights stepped(graph->edge_count(), -1);
    for (NodeId node = 0; node < graph->node_count(); ++node) {
      SetWeights(tuner, std::span(&node, 1), stepped);
    }
    EXPECT_EQ(stepped, weights);
  }
}

// A policy whose values the test sets; its answer is the last move.
class Odd : public Policy {
 public:
  explicit Odd(double weight) : weight_(weight) {}
  std::string_view name() const override { return "odd"; }
  size_t Choose(const Choices&, const Turn&, Rng&) const override { return 0; }
  void Credit(Arm&, Score, int) const override {}
  bool LearnsFromDraws() const override { return false; }
  double Weight(const Choices&, size_t) const override { return weight_; }
  size_t Answer(const Choices& at) const override { return at.size() - 1; }
  std::string_view answer_rule() const override { return "the last"; }

 private:
  const double weight_;
};

TEST(WeightsOf, HoldsForWeightsWithoutBounds) {
  const auto graph = GraphOf(2, "a1 a2 b1");
  const NodeId start = NodeAfter(*graph, "");
  for (const double weight : {1e300, -1e300, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
    const Weights weights = WeightsOf(Tuner(graph, std::make_shared<Odd>(weight)));
    EXPECT_EQ(AnswerOf(*graph, weights, start), graph->node(start).first + 2);
  }
}

TEST(Follower, PlaysTheBookAfterTheExitOnly) {
  const auto graph = GraphOf(8, "a1 b1");
  const AnswerBook book{graph, std::make_shared<const Weights>(graph->edge_count(), 0)};
  // The line is a1, its exit a2. The book, which knows moves of one stone, takes six plies to the
  // position reached here in four.
  const Seen seen = Follow(book, "a1 a2 b1 b2 a1", 1);
  EXPECT_FALSE(seen.due[0]);  // the line
  EXPECT_FALSE(seen.due[1]);  // its exit, though this is a position of the book
  EXPECT_NE(NodeAfter(*graph, "a1"), kNoNode);
  EXPECT_EQ(NodeAfter(*graph, "a1 a2"), kNoNode);
  EXPECT_FALSE(seen.due[2]);
  EXPECT_FALSE(seen.due[3]);
  const NodeId back = NodeAfter(*graph, "a1 a2 b1 b2");
  ASSERT_NE(back, kNoNode);
  ASSERT_TRUE(seen.due[4]);
  EXPECT_EQ(*seen.due[4], graph->edge(AnswerOf(*graph, *book.weights, back)).move);
  EXPECT_EQ(seen.edges, std::vector<EdgeId>{graph->FindMove(back, ToyMoves("a1")[0])});
}

TEST(Follower, LeavesAPositionThatCameUpBeforeToTheEngine) {
  const auto graph = GraphOf(4, "a1 b1 x");
  const AnswerBook book{graph, std::make_shared<const Weights>(graph->edge_count(), 0)};
  const Seen seen = Follow(book, "x x x x a1", 0);
  EXPECT_TRUE(seen.due[1]);
  EXPECT_FALSE(seen.due[2]);  // the start again
  EXPECT_FALSE(seen.due[3]);
  EXPECT_FALSE(seen.due[4]);
  EXPECT_TRUE(seen.due[5]);
  // All book moves are listed, whoever chose them; Tuner::Apply counts each once.
  EXPECT_EQ(seen.edges.size(), 5u);
}

TEST(Follower, HasNothingToSayWhereTheBookHasNoMove) {
  std::vector<GraphInput> inputs = ToyBook(3, "a1 b1");
  for (GraphInput& input : inputs) {
    if (input.ply == 3) input.moves.clear();
  }
  const auto graph = std::make_shared<const Graph>(Graph::Build(ToyRules(), inputs).value());
  const AnswerBook book{graph, std::make_shared<const Weights>(graph->edge_count(), 0)};
  const Seen seen = Follow(book, "a1 b1", 0);
  EXPECT_TRUE(seen.due[1]);
  EXPECT_NE(NodeAfter(*graph, "a1 b1"), kNoNode);
  EXPECT_FALSE(seen.due[2]);
}

TEST(SharesOf, AreHowOftenThePolicyChooses) {
  const auto graph = GraphOf(5, "a1 a2 b1 x");
  Rng rng(1);
  for (const std::string_view name : PolicyNames()) {
    const std::shared_ptr<const Policy> policy = MakePolicy(name, {}).value();
    Tuner tuner(graph, policy);
    for (EdgeId edge = 0; edge < graph->edge_count(); ++edge) {
      Evidence evidence;
      evidence.wins = static_cast<uint32_t>(rng.Below(9));
      evidence.losses = static_cast<uint32_t>(rng.Below(9));
      tuner.Load(edge, static_cast<int64_t>(rng.Below(3)), evidence);
    }
    tuner.ComputeValues();
    const Weights shares = SharesOf(tuner, 0);
    for (NodeId node = 0; node < graph->node_count(); ++node) {
      const Graph::Node& at = graph->node(node);
      if (at.count == 0) continue;
      int64_t sum = 0;
      for (EdgeId edge = at.first; edge < at.first + at.count; ++edge) {
        EXPECT_GE(shares[edge], 0);
        sum += shares[edge];
      }
      EXPECT_EQ(sum, 1000 * kTries) << name;
    }
    // Games in flight do not count, because readers of the games do not know them.
    const std::vector<EdgeId> line = EdgesOf(*graph, NodeAfter(*graph, ""), ToyMoves("a1 b1 a1"));
    for (int i = 0; i < 5; ++i) tuner.AddInFlight(line);
    EXPECT_EQ(SharesOf(tuner, 0), shares) << name;
    Weights stepped(graph->edge_count(), -1);
    for (NodeId node = 0; node < graph->node_count(); ++node) {
      SetShares(tuner, 0, std::span(&node, 1), stepped);
    }
    EXPECT_EQ(stepped, shares) << name;
  }
}

// Book moves are due for our side only, drawn by weight; only our moves are credited.
TEST(Follower, AgainstAnOpponentDrawsByShares) {
  const auto graph = GraphOf(8, "a1 a2 b1");
  auto weights = std::make_shared<Weights>(graph->edge_count(), 0);
  const NodeId after = NodeAfter(*graph, "a1 b1");
  const Graph::Node& at = graph->node(after);
  ASSERT_EQ(at.count, 3);
  (*weights)[at.first] = 1000;
  (*weights)[at.first + 2] = 3000;
  const AnswerBook book{graph, weights};
  std::map<uint16_t, int> drawn;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    for (const Color own : {Color::kFirst, Color::kSecond}) {
      Follower follower(book, 0, OwnSide{own, seed});
      ToyPosition position;
      EXPECT_FALSE(follower.See(position.key())) << "the exit";
      for (const Move move : ToyMoves("a1 b1")) {
        follower.Played(move);
        position.Do(move);
        const auto due = follower.See(position.key());
        if (position.key() != at.key) continue;
        EXPECT_EQ(due.has_value(), own == Color::kFirst);
        if (due) ++drawn[due->raw()];
      }
      ASSERT_EQ(follower.edges().size(), 1u);
      EXPECT_EQ(graph->edge(follower.edges()[0]).mover, own);
    }
  }
  EXPECT_EQ(drawn.size(), 2u);
  EXPECT_NEAR(drawn[graph->edge(at.first + 2).move.raw()], 1500, 100);
  const auto edges =
      ReenteredEdges(ToyRules(), *graph, "startpos", ToyMoves("a1 b1 a2"), 0, Color::kFirst);
  ASSERT_TRUE(edges.ok());
  EXPECT_EQ(edges->size(), 2u);
}

}  // namespace
}  // namespace joseki::book
