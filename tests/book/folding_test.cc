#include "book/folding.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
#include "book/tuning/line.h"
#include "book/tuning/prospects.h"
#include "book/tuning/tuner.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/symmetric_toy_rules.h"
#include "tests/support/toy_book.h"

namespace joseki::book {
namespace {

using joseki::testing::SymmetricToyRules;
using joseki::testing::ToyBook;
using joseki::testing::ToyMoves;
using joseki::testing::ToyPosition;
using joseki::testing::ToyRules;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Ending kFirstWins = {Result::kFirstWins, Termination::kNoLegalMove};

PackedPosition PackedAt(std::string_view text) {
  return ToyPosition::Of(text).value().first.packed();
}

class FoldingTest : public ::testing::Test {
 protected:
  EdgeId EdgeAt(const Graph& graph, std::string_view text, std::string_view move) const {
    const NodeId node = graph.FindPacked(PackedAt(text));
    return node == kNoNode ? kNoEdge : graph.FindMove(node, ToyMoves(move).front());
  }

  const SymmetricToyRules rules_{};
};

TEST_F(FoldingTest, AnOrbitIsTheSameMoveForTheOtherSide) {
  const Graph graph = Graph::Build(rules_, ToyBook(6)).value();
  const Orbits orbits = OrbitsOf(rules_, graph).value();
  ASSERT_EQ(orbits.size(), graph.edge_count());
  size_t pairs = 0;
  for (EdgeId edge = 0; edge < orbits.size(); ++edge) {
    const Graph::Edge& here = graph.edge(edge);
    const NodeId turned = graph.FindPacked(rules_.Image(1, graph.node(here.from).packed));
    const EdgeId other = turned == kNoNode ? kNoEdge : graph.FindMove(turned, here.move);
    if (other == kNoEdge) {
      EXPECT_THAT(orbits.others(edge), IsEmpty());
      continue;
    }
    ++pairs;
    EXPECT_THAT(orbits.others(edge), ElementsAre(other));
    EXPECT_THAT(orbits.others(other), ElementsAre(edge));
    EXPECT_NE(graph.edge(other).mover, here.mover);
  }
  EXPECT_GT(pairs, 10u);
  EXPECT_LT(pairs, graph.edge_count()) << "the start cannot be reached by the other side";
  EXPECT_THAT(orbits.others(EdgeAt(graph, "7-12 b 1", "b1")),
              ElementsAre(EdgeAt(graph, "7-12 w 1", "b1")));
}

TEST_F(FoldingTest, AGameWithoutImagesCannotBeFolded) {
  const ToyRules rules;
  const Graph graph = Graph::Build(rules, ToyBook(3)).value();
  EXPECT_EQ(ProblemOf(OrbitsOf(rules, graph).status()).code, "no_symmetry");
  EXPECT_EQ(ProblemOf(Fold(rules, graph).status()).code, "no_symmetry");
  EXPECT_EQ(ProblemOf(OrbitsFor(rules, graph, {{"fold", "yes"}}).status()).code, "no_symmetry");
  EXPECT_EQ(*OrbitsFor(rules, graph, {{"fold", "no"}}), nullptr);
  EXPECT_EQ(*OrbitsFor(rules, graph, {}), nullptr);
}

// A book of three lines: 7-12 is known to the first player with a1, to the second with b1.
std::vector<GraphInput> SmallBook() {
  const Move a1 = ToyMoves("a1").front();
  const Move a2 = ToyMoves("a2").front();
  const Move b1 = ToyMoves("b1").front();
  return {{PackedAt("startpos"), 1, {{a1, 1}, {a2, 2}, {b1, 3}}},
          {PackedAt("8-12 w 1"), 2, {{a1, 4}}},
          {PackedAt("7-12 b 1"), 3, {{a1, 5}}},
          {PackedAt("7-12 w 1"), 2, {{b1, 6}}},
          {PackedAt("6-12 w 1"), 4, {{b1, 7}}},
          {PackedAt("9-11 w 1"), 2, {{a2, 8}}}};
}

TEST_F(FoldingTest, ABookKnowsEachOfItsPositionsTurned) {
  const Graph graph = Graph::Build(rules_, SmallBook()).value();
  const Graph folded = Fold(rules_, graph).value();
  // At 7-12 either side has the moves of both.
  for (const char* side : {"7-12 b 1", "7-12 w 1"}) {
    const EdgeId a1 = EdgeAt(folded, side, "a1");
    const EdgeId b1 = EdgeAt(folded, side, "b1");
    ASSERT_TRUE(a1 != kNoEdge && b1 != kNoEdge) << side;
    EXPECT_EQ(folded.edge(a1).base_weight, 5);
    EXPECT_EQ(folded.edge(b1).base_weight, 6);
  }
  // The second player's a1 at 7-12 leads to 6-12, which the book has for the second player only.
  const EdgeId found = EdgeAt(folded, "6-12 b 1", "b1");
  ASSERT_NE(found, kNoEdge);
  EXPECT_EQ(folded.edge(found).base_weight, 7);
  EXPECT_EQ(folded.node(folded.edge(found).from).ply, 3);
  // Existing content of the book is unchanged.
  for (EdgeId edge = 0; edge < graph.edge_count(); ++edge) {
    const Graph::Edge& had = graph.edge(edge);
    const NodeId node = folded.FindPacked(graph.node(had.from).packed);
    ASSERT_NE(node, kNoNode);
    const EdgeId has = folded.FindMove(node, had.move);
    ASSERT_NE(has, kNoEdge);
    EXPECT_EQ(folded.edge(has).base_weight, had.base_weight);
  }
  EXPECT_EQ(folded.node_count(), graph.node_count() + 1) << "and no position more than that";
  // Folding again changes nothing.
  EXPECT_EQ(Fold(rules_, folded)->Serialize(), folded.Serialize());
}

TEST_F(FoldingTest, WhatIsForbiddenStaysOut) {
  const Move a1 = ToyMoves("a1").front();
  const ForbiddenMoves forbidden = {{PackedAt("7-12 w 1"), a1}};
  const Graph graph = Graph::Build(rules_, SmallBook(), nullptr, forbidden).value();
  const Graph folded = Fold(rules_, graph).value();
  EXPECT_EQ(folded.forbidden(), forbidden);
  EXPECT_EQ(EdgeAt(folded, "7-12 w 1", "a1"), kNoEdge);
  EXPECT_NE(EdgeAt(folded, "7-12 b 1", "b1"), kNoEdge);
  EXPECT_EQ(EdgeAt(folded, "6-12 b 1", "b1"), kNoEdge) << "nothing leads there";
}

// After the same games, a folding tuner's sums equal the sums of the arms of one that does not
// fold.
class FoldedTunerTest : public ::testing::TestWithParam<std::string> {
 protected:
  FoldedTunerTest()
      : graph_(std::make_shared<const Graph>(Graph::Build(rules_, ToyBook(6)).value())),
        orbits_(OrbitsFor(rules_, *graph_, {{"fold", "yes"}}).value()),
        policy_(MakePolicy(GetParam(), {{"fold", "yes"}}).value()),
        start_(graph_->FindPacked(PackedAt("startpos"))) {}

  Tuner Make(bool fold) const { return Tuner(graph_, policy_, nullptr, fold ? orbits_ : nullptr); }

  void ExpectSums(const Tuner& folded, const Tuner& apart) const {
    for (EdgeId edge = 0; edge < graph_->edge_count(); ++edge) {
      const Arm& own = apart.arms()[edge];
      EXPECT_EQ(folded.arms()[edge].evidence, own.evidence);
      EXPECT_EQ(folded.arms()[edge].sum, own.sum);
      const std::span<const EdgeId> others = orbits_->others(edge);
      ASSERT_LE(others.size(), 1u);
      const Arm other = others.empty() ? Arm() : apart.arms()[others.front()];
      const Arm& pooled = folded.pooled()[edge];
      EXPECT_EQ(pooled.sum, own.sum + other.sum);
      EXPECT_EQ(pooled.base_weight, own.base_weight);
      EXPECT_EQ(pooled.in_flight, own.in_flight + other.in_flight);
      EXPECT_EQ(pooled.evidence.wins, own.evidence.wins + other.evidence.wins);
      EXPECT_EQ(pooled.evidence.draws, own.evidence.draws + other.evidence.draws);
      EXPECT_EQ(pooled.evidence.losses, own.evidence.losses + other.evidence.losses);
      EXPECT_EQ(pooled.evidence.repeats, own.evidence.repeats + other.evidence.repeats);
    }
  }
  static std::vector<int64_t> SumsOf(const Choices& at) {
    std::vector<int64_t> sums;
    for (const Arm& arm : at.arms) {
      sums.insert(sums.end(), {arm.sum, arm.evidence.wins, arm.evidence.losses, arm.in_flight});
    }
    return sums;
  }

  const SymmetricToyRules rules_{};
  std::shared_ptr<const Graph> graph_;
  std::shared_ptr<const Orbits> orbits_;
  std::shared_ptr<const Policy> policy_;
  NodeId start_;
};

TEST_P(FoldedTunerTest, ChoosesByBothAndCountsApart) {
  Tuner folded = Make(true);
  Tuner apart = Make(false);
  Rng rng(11);
  std::vector<std::pair<std::vector<EdgeId>, uint64_t>> played;
  for (int i = 0; i < 400; ++i) {
    if (i == 200) {
      folded.Freeze();
      apart.Freeze();
    }
    const int stage = i / 200;
    if (!played.empty() && rng.Below(5) == 0) {
      const auto& [edges, hash] = played[rng.Below(played.size())];
      for (Tuner* tuner : {&folded, &apart}) tuner->Apply({edges, kFirstWins, stage, hash});
      continue;
    }
    const std::vector<EdgeId> edges =
        ChooseLine(folded, start_, stage, {.deviation = 0.1}, rng)->edges;
    for (Tuner* tuner : {&folded, &apart}) tuner->AddInFlight(edges);
    if (rng.Below(10) == 0) continue;  // stays in flight
    const Ending ending = {static_cast<Result>(1 + rng.Below(3)), Termination::kResign};
    played.emplace_back(edges, rng.Next());
    for (Tuner* tuner : {&folded, &apart}) {
      tuner->RemoveInFlight(edges);
      tuner->Apply({edges, ending, stage, played.back().second});
    }
  }
  ExpectSums(folded, apart);
  // A restart: the stored arms are those of each colour, present and frozen.
  Tuner loaded = Make(true);
  for (EdgeId edge = 0; edge < graph_->edge_count(); ++edge) {
    loaded.Load(edge, folded.arms()[edge].sum, folded.arms()[edge].evidence);
  }
  loaded.Freeze();
  if (!policy_->stages().empty()) {
    for (EdgeId edge = 0; edge < graph_->edge_count(); ++edge) {
      if (folded.frozen(edge).evidence == folded.arms()[edge].evidence) continue;
      loaded.LoadFrozen(edge, folded.frozen(edge).sum, folded.frozen(edge).evidence);
    }
  }
  folded.ComputeValues();
  loaded.ComputeValues();
  for (EdgeId edge = 0; edge < graph_->edge_count(); ++edge) {
    loaded.AddInFlight(edge, folded.arms()[edge].in_flight);
  }
  bool differs = false;  // from what a colour by itself says
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    EXPECT_EQ(SumsOf(loaded.choices(node)), SumsOf(folded.choices(node)));
    EXPECT_EQ(SumsOf(loaded.selection(node)), SumsOf(folded.selection(node))) << node;
    if (graph_->stop(node).count == 0) continue;
    EXPECT_EQ(policy_->Answer(loaded.choices(node)), policy_->Answer(folded.choices(node)));
    for (size_t i = 0; i < graph_->stop(node).count; ++i) {
      EXPECT_EQ(policy_->Weight(loaded.choices(node), i), policy_->Weight(folded.choices(node), i));
    }
    differs |= SumsOf(folded.choices(node)) != SumsOf(Choices(folded.arms(node)));
  }
  EXPECT_TRUE(differs);
}

// What two images may still gain is known of both, but each is met by its own games alone.
TEST_P(FoldedTunerTest, ProspectsCountEachGameOnce) {
  Tuner folded = Make(true);
  Rng rng(5);
  constexpr Settling kRule = {.error = 0.05, .margin = 0.02};
  Prospects kept(*graph_, policy_->draw_value(), kRule);
  for (uint64_t game = 1; game <= 400; ++game) {
    const std::vector<EdgeId> edges = ChooseLine(folded, start_, 0, {.deviation = 0.1}, rng)->edges;
    folded.Apply({edges, {static_cast<Result>(1 + rng.Below(2)), Termination::kResign}, 0, game});
    kept.Update(folded, folded.credited());
  }
  double left = 0;
  uint64_t shared = 0;  // games at positions with an image
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    const Graph::Stop& at = graph_->stop(node);
    if (at.count < 2) continue;
    uint64_t games = 0;
    for (const Arm& arm : folded.arms(node)) games += arm.evidence.games();
    const Settlement found = Settle(folded.choices(node), policy_->draw_value(), kRule);
    if (!found.settled()) left += static_cast<double>(games) * found.possible;
    if (!orbits_->others(at.first).empty()) shared += games;
  }
  EXPECT_GT(shared, 100u);
  EXPECT_NEAR(kept.Left(400), left / 400, 1e-3);
}

std::string NameOf(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Policies, FoldedTunerTest,
                         ::testing::Values("result-driven", "sample-average", "graph-puct"),
                         NameOf);

TEST(FoldedPolicy, TakesTheOptionWhereColoursCanBeAddedUp) {
  for (const std::string_view name : PolicyNames()) {
    EXPECT_TRUE(MakePolicy(name, {{"fold", "no"}}).ok()) << name;
    const auto policy = MakePolicy(name, {{"fold", "yes"}});
    if (name == "recency") {
      EXPECT_EQ(ProblemOf(policy.status()).code, "bad_policy_option");
    } else {
      EXPECT_TRUE(policy.ok()) << name << ": " << policy.status();
    }
  }
  EXPECT_EQ(ProblemOf(MakePolicy("ucb1", {{"fold", "perhaps"}}).status()).found, "'fold=perhaps'");
  EXPECT_EQ(ProblemOf(MakePolicy("ucb1", {{"fold", "yes"}, {"draw_value", "0.4"}}).status()).code,
            "bad_policy_option");
}

}  // namespace
}  // namespace joseki::book
