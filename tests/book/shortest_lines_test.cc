#include "book/shortest_lines.h"

#include <algorithm>
#include <set>

#include "gtest/gtest.h"
#include "tests/support/toy_book.h"

namespace joseki::book {
namespace {

using joseki::testing::ToyAt;
using joseki::testing::ToyBook;
using joseki::testing::ToyInput;
using joseki::testing::ToyRules;

NodeId After(const Graph& graph, NodeId node, const std::vector<Move>& line) {
  for (const Move move : line) {
    const auto moves = graph.moves(node);
    const auto at = std::find_if(moves.begin(), moves.end(),
                                 [&](const Graph::Edge& edge) { return edge.move == move; });
    if (at == moves.end()) return kNoNode;
    node = at->to;
  }
  return node;
}

TEST(ShortestLines, LeadThereAndNoneIsShorter) {
  // By a2 some positions are reached by longer lines too, by x there are cycles.
  const Graph graph = Graph::Build(ToyRules(), ToyBook(5, "a1 a2 b1 x")).value();
  const NodeId start = graph.Find(ToyAt("startpos").key());
  const ShortestLines lines(graph, start);
  std::set<NodeId> level = {start};
  std::set<NodeId> seen = level;
  for (size_t length = 0; !level.empty(); ++length) {
    std::set<NodeId> next;
    for (const NodeId node : level) {
      const auto line = lines.To(node);
      ASSERT_TRUE(line);
      EXPECT_EQ(line->size(), length);
      EXPECT_EQ(After(graph, start, *line), node);
      for (const Graph::Edge& edge : graph.moves(node)) {
        if (edge.to != kNoNode && seen.insert(edge.to).second) next.insert(edge.to);
      }
    }
    level = std::move(next);
  }
  EXPECT_EQ(seen.size(), graph.node_count());
}

TEST(ShortestLines, NoneLeadsWhereNoBookMoveDoes) {
  const Graph graph =
      Graph::Build(ToyRules(), {ToyInput("5-5 b 1", "a1"), ToyInput("3-3 b 1", "a1")}).value();
  const ShortestLines lines(graph, graph.Find(ToyAt("5-5 b 1").key()));
  EXPECT_FALSE(lines.To(graph.Find(ToyAt("3-3 b 1").key())));
}

}  // namespace
}  // namespace joseki::book
