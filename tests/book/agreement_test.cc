#include "book/stats/agreement.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

namespace joseki::book {
namespace {

using joseki::testing::ToyBook;
using joseki::testing::ToyMoves;
using joseki::testing::ToyPosition;
using joseki::testing::ToyRules;

using ByPosition = std::map<std::string, std::string>;  // "9-12 b 1": a move

// Three plies of a1 and b1. The answer is a1 except where `answers` has another. Weights of a1 are
// three times those of b1 at the start, 1 elsewhere; at 9-11 b1 has none.
PlayBook MakeBook(const ByPosition& answers, int plies = 3) {
  const ToyRules rules;
  const auto graph = std::make_shared<const Graph>(*Graph::Build(rules, ToyBook(plies, "a1 b1")));
  const auto node = [&](const std::string& position) {
    return graph->Find(ToyPosition::Of(position).value().first.key());
  };
  const auto edge = [&](const std::string& position, const std::string& move) {
    return graph->FindMove(node(position), ToyMoves(move).front());
  };
  std::vector<double> weights(graph->edge_count(), 1);
  weights[edge("9-12 b 1", "a1")] = 3;
  weights[edge("9-11 w 2", "b1")] = 0;
  std::vector<EdgeId> chosen(graph->node_count(), kNoEdge);
  const Move usual = ToyMoves("a1").front();
  for (NodeId id = 0; id < graph->node_count(); ++id) chosen[id] = graph->FindMove(id, usual);
  for (const auto& [position, move] : answers) chosen[node(position)] = edge(position, move);
  return MakePlayBook(graph, weights, chosen);
}

double Common(const PlayBook& a, const PlayBook& b, int plies) {
  const auto answers = AnswersOf(ToyRules(), a, MakeBook({}), plies);
  EXPECT_TRUE(answers.ok()) << answers.status();
  return ShareInCommon(*answers, b);
}

// By hand. As the first player: the start (1), then 7-12 and 8-11 (1/2 each, as the other side's
// moves at 8-12 have equal weights). As the second: 8-12 (3/4) and 9-11 (1/4). The sum is 3.
TEST(AgreementTest, IsWeightedByReach) {
  const PlayBook a = MakeBook({});
  const PlayBook b = MakeBook({{"8-12 w 2", "b1"}, {"8-11 b 3", "b1"}});
  EXPECT_NEAR(Common(a, b, 3), (1 + 0.5 + 0.25) / 3, 1e-12);
  EXPECT_NEAR(Common(b, a, 3), (1 + 0.5 + 0.25) / 3, 1e-12);
  EXPECT_NEAR(Common(a, b, 2), 1.25 / 2, 1e-12);
  EXPECT_NEAR(Common(a, b, 1), 1, 1e-12);
  EXPECT_NEAR(Common(a, a, 3), 1, 1e-12);
}

// A book that ends early has no answer in common there, and none to be compared.
TEST(AgreementTest, AnEndIsNoAnswer) {
  const PlayBook a = MakeBook({});
  const auto shorter = std::make_shared<const Graph>(*Graph::Build(ToyRules(), ToyBook(1, "a1")));
  const PlayBook b = MakePlayBook(shorter, {1}, {0});
  EXPECT_NEAR(Common(a, b, 3), 1.0 / 3, 1e-12);
  EXPECT_NEAR(Common(b, a, 3), 1, 1e-12);
}

}  // namespace
}  // namespace joseki::book
