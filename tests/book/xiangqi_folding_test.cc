#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "book/folding.h"
#include "book/tuning/tuner.h"
#include "engine/xiangqi/xiangqi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

// Xiangqi's board has a mirror, too: up to four edges are one, and the start is its own image.
class XiangqiFoldingTest : public ::testing::Test {
 protected:
  GraphInput At(const std::string& line, const std::vector<std::string>& moves) const {
    auto state = *rules_.Start("startpos", MatchRules{});
    std::istringstream words(line);
    for (std::string word; words >> word;) EXPECT_TRUE(state->Play(*rules_.MoveOf(word))) << word;
    GraphInput input{state->packed(), state->plies() + 1, {}};
    for (const std::string& move : moves) input.moves.push_back({*rules_.MoveOf(move), 1});
    return input;
  }
  EdgeId EdgeAt(const Graph& graph, const std::string& line, const std::string& move) const {
    const NodeId node = graph.FindPacked(At(line, {}).packed);
    return node == kNoNode ? kNoEdge : graph.FindMove(node, *rules_.MoveOf(move));
  }

  const Rules& rules_ = xiangqi::XiangqiRules();
};

TEST_F(XiangqiFoldingTest, MirrorMovesOfAPositionFold) {
  const Graph graph = Graph::Build(rules_, {At("", {"h2e2", "b2e2", "e3e4"}), At("h2e2", {"h9g7"}),
                                            At("b2e2", {"b9c7", "h9g7"})})
                          .value();
  const Orbits orbits = OrbitsOf(rules_, graph).value();
  EXPECT_THAT(orbits.others(EdgeAt(graph, "", "h2e2")), ElementsAre(EdgeAt(graph, "", "b2e2")));
  EXPECT_THAT(orbits.others(EdgeAt(graph, "", "e3e4")), IsEmpty()) << "its own image";
  EXPECT_THAT(orbits.others(EdgeAt(graph, "h2e2", "h9g7")),
              ElementsAre(EdgeAt(graph, "b2e2", "b9c7")));
  EXPECT_THAT(orbits.others(EdgeAt(graph, "b2e2", "h9g7")), IsEmpty());
}

// A rook comes home in three moves, a knight in two: the start with Black to move.
TEST_F(XiangqiFoldingTest, FourImagesOfAMoveFold) {
  const std::string tempo = "a0a1 h9g7 a1a2 g7h9 a2a0";
  const Graph graph =
      Graph::Build(rules_, {At("", {"h2e2", "b2e2"}), At(tempo, {"b7e7", "h7e7"})}).value();
  const Orbits orbits = OrbitsOf(rules_, graph).value();
  const std::vector<EdgeId> all = {EdgeAt(graph, "", "h2e2"), EdgeAt(graph, "", "b2e2"),
                                   EdgeAt(graph, tempo, "b7e7"), EdgeAt(graph, tempo, "h7e7")};
  for (const EdgeId edge : all) {
    std::vector<EdgeId> others = all;
    std::erase(others, edge);
    EXPECT_THAT(orbits.others(edge), UnorderedElementsAreArray(others));
  }
  // The evidence of one game counts for a move in all four images.
  const std::shared_ptr<const Policy> policy =
      MakePolicy("sample-average", {{"fold", "yes"}}).value();
  Tuner tuner(std::make_shared<const Graph>(graph), policy, nullptr,
              std::make_shared<const Orbits>(orbits));
  tuner.Apply({.edges = std::span(&all[0], 1),
               .ending = {Result::kFirstWins, Termination::kNoLegalMove},
               .stage = 0,
               .moves_hash = 1});
  for (const EdgeId edge : all) {
    EXPECT_EQ(tuner.pooled()[edge].evidence, (Evidence{1, 0, 0, 0}));
    EXPECT_EQ(tuner.arms()[edge].evidence.wins, edge == all[0] ? 1u : 0u);
  }
}

TEST_F(XiangqiFoldingTest, ABookFindsMirroredPositions) {
  const Graph graph =
      Graph::Build(rules_, {At("", {"h2e2"}), At("h2e2", {"h9g7", "b7e7"})}).value();
  const Graph folded = Fold(rules_, graph).value();
  for (const auto& [line, move] : std::vector<std::pair<std::string, std::string>>{
           {"", "b2e2"}, {"b2e2", "b9c7"}, {"b2e2", "h7e7"}, {"h2e2", "b7e7"}}) {
    EXPECT_NE(EdgeAt(folded, line, move), kNoEdge) << line << ": " << move;
  }
  EXPECT_EQ(Fold(rules_, folded)->Serialize(), folded.Serialize());
  EXPECT_EQ(folded.edge_count(), 2 * graph.edge_count());
}

}  // namespace
}  // namespace joseki::book
