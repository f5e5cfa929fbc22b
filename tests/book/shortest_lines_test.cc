#include "book/shortest_lines.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/toy_book.h"

namespace joseki::book {
namespace {

using joseki::testing::ToyAt;
using joseki::testing::ToyBook;
using joseki::testing::ToyInput;
using joseki::testing::ToyMoves;
using joseki::testing::ToyPosition;
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

TEST(ShortestLines, OfEqualOnesTheLikeliestLeads) {
  const auto line_with = [](int64_t a1, int64_t b1) {
    const auto after = [](std::string_view word) {
      ToyPosition position = ToyAt("startpos");
      for (const Move move : ToyMoves(word)) position.Do(move);
      return position;
    };
    const auto input = [](const ToyPosition& at, std::vector<std::pair<Move, int64_t>> moves) {
      GraphInput position;
      position.packed = at.packed();
      for (const auto& [move, weight] : moves) position.moves.push_back({move, weight});
      return position;
    };
    const Move a = ToyMoves("a1")[0];
    const Move b = ToyMoves("b1")[0];
    // Either order of the two leads to one position.
    const Graph graph =
        Graph::Build(ToyRules(),
                     {input(after(""), {{a, a1}, {b, b1}}), input(after("a1"), {{b, 1}}),
                      input(after("b1"), {{a, 1}}), input(after("a1 b1"), {{a, 1}})})
            .value();
    const ShortestLines lines(graph, graph.Find(after("").key()));
    return lines.To(graph.Find(after("a1 b1").key())).value();
  };
  EXPECT_EQ(line_with(3, 1), ToyMoves("a1 b1"));
  EXPECT_EQ(line_with(1, 3), ToyMoves("b1 a1"));
  EXPECT_EQ(line_with(0, 0), line_with(1, 1)) << "without weights all are alike";
}

TEST(ShortestLines, NoneLeadsWhereNoBookMoveDoes) {
  const Graph graph =
      Graph::Build(ToyRules(), {ToyInput("5-5 b 1", "a1"), ToyInput("3-3 b 1", "a1")}).value();
  const ShortestLines lines(graph, graph.Find(ToyAt("5-5 b 1").key()));
  EXPECT_FALSE(lines.To(graph.Find(ToyAt("3-3 b 1").key())));
}

}  // namespace
}  // namespace joseki::book
