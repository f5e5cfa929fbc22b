#include "book/graph.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
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

NodeId NodeOf(const Graph& graph, std::string_view position) {
  return graph.Find(ToyAt(position).key());
}

std::string CodeOf(const absl::StatusOr<Graph>& graph) {
  return graph.ok() ? "ok" : ProblemOf(graph.status()).code;
}

bool Same(const Graph& a, const Graph& b) {
  if (a.node_count() != b.node_count() || a.edge_count() != b.edge_count()) return false;
  for (NodeId id = 0; id < a.node_count(); ++id) {
    const Graph::Node& x = a.node(id);
    const Graph::Node& y = b.node(id);
    if (x.key != y.key || x.packed != y.packed || x.first != y.first || x.count != y.count ||
        x.ply != y.ply || x.to_move != y.to_move || x.closed != y.closed) {
      return false;
    }
  }
  for (EdgeId id = 0; id < a.edge_count(); ++id) {
    const Graph::Edge& x = a.edge(id);
    const Graph::Edge& y = b.edge(id);
    if (x.move != y.move || x.from != y.from || x.to != y.to || x.base_weight != y.base_weight) {
      return false;
    }
  }
  return true;
}

TEST(Graph, LinksTranspositionsAndExits) {
  // a1 b1 and b1 a1 meet in 4-4, to move again; a2 leads out of the book.
  const auto graph =
      Graph::Build(ToyRules(), {ToyInput("5-5 b 1", "a1 b1 a2"), ToyInput("4-5 w 2", "b1"),
                                ToyInput("5-4 w 2", "a1"), ToyInput("4-4 b 3", "")});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->node_count(), 4u);
  EXPECT_EQ(graph->edge_count(), 5u);
  const NodeId root = NodeOf(*graph, "5-5 b 1");
  const NodeId met = NodeOf(*graph, "4-4 b 1");
  const NodeId left = graph->edge(graph->FindMove(root, ToyMoves("a1")[0])).to;
  const NodeId right = graph->edge(graph->FindMove(root, ToyMoves("b1")[0])).to;
  EXPECT_EQ(left, NodeOf(*graph, "4-5 w 1"));
  EXPECT_EQ(right, NodeOf(*graph, "5-4 w 1"));
  EXPECT_EQ(graph->edge(graph->FindMove(left, ToyMoves("b1")[0])).to, met);
  EXPECT_EQ(graph->edge(graph->FindMove(right, ToyMoves("a1")[0])).to, met);
  EXPECT_EQ(graph->edge(graph->FindMove(root, ToyMoves("a2")[0])).to, kNoNode);
  EXPECT_EQ(graph->moves(met).size(), 0u);
  EXPECT_EQ(graph->FindMove(met, ToyMoves("a1")[0]), kNoEdge);
  EXPECT_EQ(graph->FindMove(root, ToyMoves("b3")[0]), kNoEdge);
  EXPECT_EQ(NodeOf(*graph, "5-5 w 1"), kNoNode);  // the same heaps with the other side to move
}

TEST(Graph, LinksCycles) {
  const auto graph =
      Graph::Build(ToyRules(), {ToyInput("1-2 b 1", "x"), ToyInput("2-1 w 1", "x a1")});
  ASSERT_TRUE(graph.ok()) << graph.status();
  const NodeId one = NodeOf(*graph, "1-2 b 1");
  const NodeId two = NodeOf(*graph, "2-1 w 1");
  const Move exchange = ToyMoves("x")[0];
  EXPECT_EQ(graph->edge(graph->FindMove(one, exchange)).to, two);
  EXPECT_EQ(graph->edge(graph->FindMove(two, exchange)).to, one);
}

TEST(Graph, KnowsTheSideToMoveAndClosedPositions) {
  // 0-1: b1 and x are all the legal moves; in 1-1 a1 and b1 are, and only one is in the book.
  const auto graph = Graph::Build(ToyRules(), {ToyInput("0-1 w 1", "b1 x"),
                                               ToyInput("1-1 b 1", "a1"), ToyInput("0-0 b 1", "")});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->node(NodeOf(*graph, "0-1 w 1")).to_move, Color::kSecond);
  EXPECT_EQ(graph->node(NodeOf(*graph, "1-1 b 1")).to_move, Color::kFirst);
  EXPECT_TRUE(graph->node(NodeOf(*graph, "0-1 w 1")).closed);
  EXPECT_FALSE(graph->node(NodeOf(*graph, "1-1 b 1")).closed);
}

TEST(Graph, IsTheSameInWhateverOrderItIsGiven) {
  std::vector<GraphInput> book = ToyBook(6);
  const auto graph = Graph::Build(ToyRules(), book);
  ASSERT_TRUE(graph.ok()) << graph.status();
  ASSERT_GT(graph->node_count(), 20u);
  Rng rng(3);
  for (int round = 0; round < 5; ++round) {
    for (size_t i = book.size(); i > 1; --i) std::swap(book[i - 1], book[rng.Below(i)]);
    for (GraphInput& input : book) std::reverse(input.moves.begin(), input.moves.end());
    const auto again = Graph::Build(ToyRules(), book);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(Same(*graph, *again));
    EXPECT_EQ(graph->Serialize(), again->Serialize());
  }
}

TEST(Graph, HasNodesAndMovesInAscendingOrder) {
  const auto graph = Graph::Build(ToyRules(), ToyBook(6));
  ASSERT_TRUE(graph.ok());
  EdgeId next = 0;
  for (NodeId id = 0; id < graph->node_count(); ++id) {
    EXPECT_TRUE(id == 0 || graph->node(id - 1).packed < graph->node(id).packed);
    EXPECT_EQ(graph->node(id).first, next);
    next += graph->node(id).count;
    for (size_t i = 0; i < graph->moves(id).size(); ++i) {
      const Graph::Edge& edge = graph->moves(id)[i];
      EXPECT_EQ(edge.from, id);
      EXPECT_TRUE(i == 0 || graph->moves(id)[i - 1].move < edge.move);
      EXPECT_EQ(graph->FindMove(id, edge.move), graph->IdOf(edge));
    }
  }
  EXPECT_EQ(next, graph->edge_count());
}

TEST(Graph, RefusesWhatTheRulesRefuse) {
  const ToyRules rules;
  EXPECT_EQ(CodeOf(Graph::Build(rules, {ToyInput("1-5 b 1", "a2")})), "illegal_move");
  EXPECT_EQ(CodeOf(Graph::Build(rules, {ToyInput("5-5 b 1", "x")})), "illegal_move");
  GraphInput no_position = ToyInput("5-5 b 1", "a1");
  no_position.packed.bytes[31] = 'U';
  EXPECT_EQ(CodeOf(Graph::Build(rules, {no_position})), "malformed_position");
}

TEST(Graph, RefusesDuplicatesAndNumbersOutOfRange) {
  const ToyRules rules;
  EXPECT_EQ(CodeOf(Graph::Build(rules, {ToyInput("5-5 b 1", "a1"), ToyInput("5-5 b 7", "a2")})),
            "duplicate_position");
  EXPECT_EQ(CodeOf(Graph::Build(rules, {ToyInput("5-5 b 1", "a1 a2 a1")})), "duplicate_move");
  for (const int ply : {0, -1, 65536}) {
    GraphInput input = ToyInput("5-5 b 1", "a1");
    input.ply = ply;
    EXPECT_EQ(CodeOf(Graph::Build(rules, {input})), "bad_ply") << ply;
  }
  for (const int64_t weight : {kMaxBaseWeight + 1, -kMaxBaseWeight - 1}) {
    GraphInput input = ToyInput("5-5 b 1", "a1");
    input.moves[0].base_weight = weight;
    EXPECT_EQ(CodeOf(Graph::Build(rules, {input})), "bad_weight") << weight;
  }
}

// Every position of a game whose two heaps of 0 and 1 share one key.
class CollidingState : public joseki::testing::ToyState {
 public:
  using ToyState::ToyState;
  Key key() const override { return {1, 1}; }
};
class CollidingRules : public ToyRules {
 public:
  using ToyRules::Start;
  absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition& position,
                                                   const MatchRules& match) const override {
    return std::make_unique<CollidingState>(*ToyPosition::Of(position), 1, match);
  }
};

TEST(Graph, NeverLinksByAKeyAlone) {
  EXPECT_EQ(CodeOf(Graph::Build(CollidingRules(), {ToyInput("5-5 b 1", "a1")})), "key_collision");
  EXPECT_EQ(
      CodeOf(Graph::Build(CollidingRules(), {ToyInput("5-5 b 1", ""), ToyInput("5-4 b 1", "")})),
      "duplicate_position");
}

TEST(Graph, MayBeEmpty) {
  const auto graph = Graph::Build(ToyRules(), {});
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->node_count(), 0u);
  const auto again = Graph::Parse(ToyRules(), graph->Serialize());
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->node_count(), 0u);
}

TEST(Snapshot, HoldsTheWholeGraph) {
  std::vector<GraphInput> book = ToyBook(7);
  book[3].moves[0].base_weight = -kMaxBaseWeight;
  book[4].moves[0].base_weight = kMaxBaseWeight;
  book[5].ply = 65535;
  const auto graph = Graph::Build(ToyRules(), book);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::string bytes = graph->Serialize();
  const auto again = Graph::Parse(ToyRules(), bytes);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(Same(*graph, *again));
  EXPECT_EQ(again->Serialize(), bytes);
}

TEST(Snapshot, HoldsWhatIsForbidden) {
  const auto packed = [](const char* position) { return ToyInput(position, "").packed; };
  const auto move = [](const char* text) { return ToyRules().MoveOf(text).value(); };
  const ForbiddenMoves forbidden = {{packed("5-5 b 1"), move("b1")},
                                    {packed("5-5 b 1"), move("a2")},
                                    {packed("4-4 w 1"), move("a1")}};
  const auto graph = Graph::Build(ToyRules(), ToyBook(3), nullptr, forbidden);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->ForbiddenAt(packed("5-5 b 1")), (std::vector<Move>{move("a2"), move("b1")}));
  EXPECT_THAT(graph->ForbiddenAt(packed("5-4 b 1")), ::testing::IsEmpty());
  const std::string bytes = graph->Serialize();
  EXPECT_EQ(bytes.size(), Graph::Build(ToyRules(), ToyBook(3))->Serialize().size() + 4 + 3 * 34);
  for (const auto& again : {Graph::Parse(ToyRules(), bytes),
                            Graph::ParseWithLinks(ToyRules(), bytes, graph->SerializeLinks())}) {
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(Same(*graph, *again));
    EXPECT_EQ(again->forbidden(), forbidden);
    EXPECT_EQ(again->Serialize(), bytes);
  }
  const auto parsed = [](const std::string& damaged) {
    return CodeOf(Graph::Parse(ToyRules(), damaged));
  };
  for (size_t cut = 1; cut < 4 + 3 * 34; ++cut) {
    EXPECT_EQ(parsed(bytes.substr(0, bytes.size() - cut)), "bad_snapshot") << cut;
  }
  EXPECT_EQ(parsed(bytes + bytes.substr(bytes.size() - 34)), "bad_snapshot");
  std::string twice = bytes;
  twice.replace(twice.size() - 34, 34, twice.substr(twice.size() - 68, 34));
  EXPECT_EQ(parsed(twice), "bad_snapshot");
}

TEST(Graph, RefusesAForbiddenMoveThatIsNoneOrABookMove) {
  const GraphInput at = ToyInput("5-5 b 1", "a1");
  for (const char* const text : {"a1", "a9"}) {
    const Move move = ToyRules().MoveOf(text).value();
    EXPECT_EQ(CodeOf(Graph::Build(ToyRules(), {at}, nullptr, {{at.packed, move}})),
              "bad_forbidden_move");
  }
}

// The layout of docs/reference/formats.md, byte for byte.
TEST(Snapshot, HasTheDocumentedLayout) {
  GraphInput input = ToyInput("5-6 w 1", "a1");
  input.ply = 258;
  input.moves[0].base_weight = -2;
  const auto graph = Graph::Build(ToyRules(), {input});
  ASSERT_TRUE(graph.ok());
  std::string expected = "JSKGRAPH";
  expected += std::string("\1\0\0\0", 4) + std::string("\1\0\0\0", 4) + std::string("\1\0\0\0", 4);
  expected += std::string("\5\6\1", 3) + std::string(28, '\0') + "T";
  expected += std::string("\2\1", 2) + std::string("\1\0", 2);
  expected += std::string("\1\0", 2) + "\xfe\xff\xff\xff\xff\xff\xff\xff";
  EXPECT_EQ(graph->Serialize(), expected);
}

TEST(Links, GiveTheGraphThatTheRulesGive) {
  for (const auto& book : {std::vector<GraphInput>(), ToyBook(7)}) {
    const auto graph = Graph::Build(ToyRules(), book);
    ASSERT_TRUE(graph.ok()) << graph.status();
    const auto again =
        Graph::ParseWithLinks(ToyRules(), graph->Serialize(), graph->SerializeLinks());
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(Same(*graph, *again));
    for (NodeId id = 0; id < graph->node_count(); ++id) {
      EXPECT_EQ(again->Find(graph->node(id).key), id);
    }
    EXPECT_EQ(again->SerializeLinks(), graph->SerializeLinks());
  }
}

TEST(Links, OfAnythingElseAreNotBelieved) {
  const Graph graph = *Graph::Build(ToyRules(), ToyBook(3));
  const Graph other = *Graph::Build(ToyRules(), ToyBook(2));
  const std::string bytes = graph.Serialize();
  const std::string links = graph.SerializeLinks();
  const auto refused = [&](const Rules& rules, const std::string& its_links) {
    return absl::IsNotFound(Graph::ParseWithLinks(rules, bytes, its_links).status());
  };
  EXPECT_FALSE(refused(ToyRules(), links));
  EXPECT_TRUE(refused(ToyRules(), other.SerializeLinks()));
  EXPECT_TRUE(refused(ToyRules(), ""));
  EXPECT_TRUE(refused(CollidingRules(), links)) << "the rules give other keys now";
  for (size_t size = 0; size < links.size(); size += 7) {
    EXPECT_TRUE(refused(ToyRules(), links.substr(0, size))) << size;
  }
  for (size_t at = 0; at < links.size(); ++at) {
    std::string damaged = links;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_TRUE(refused(ToyRules(), damaged)) << at;
  }
}

class BrokenSnapshot : public ::testing::Test {
 protected:
  BrokenSnapshot() {
    const auto graph =
        Graph::Build(ToyRules(), {ToyInput("4-5 w 1", "b1"), ToyInput("5-5 b 1", "a1 a2 b1")});
    bytes_ = graph->Serialize();
  }
  std::string Parse() const { return CodeOf(Graph::Parse(ToyRules(), bytes_)); }

  static constexpr size_t kFirstNode = 20;
  static constexpr size_t kFirstEdge = kFirstNode + 36;
  static constexpr size_t kSecondNode = kFirstEdge + 10;
  static constexpr size_t kSecondEdges = kSecondNode + 36;
  std::string bytes_;
};

TEST_F(BrokenSnapshot, IsWholeBefore) { EXPECT_EQ(Parse(), "ok"); }

TEST_F(BrokenSnapshot, EveryTruncationIsRefused) {
  const std::string whole = bytes_;
  for (size_t size = 0; size < whole.size(); ++size) {
    bytes_ = whole.substr(0, size);
    EXPECT_EQ(Parse(), "bad_snapshot") << size;
  }
  bytes_ = whole + "x";
  EXPECT_EQ(Parse(), "bad_snapshot");
}

TEST_F(BrokenSnapshot, AnotherMagicOrVersionIsRefused) {
  bytes_[0] = 'K';
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_[0] = 'J';
  bytes_[8] = 2;
  EXPECT_EQ(Parse(), "bad_snapshot");
}

TEST_F(BrokenSnapshot, CountsThatDoNotFitAreRefused) {
  std::string whole = bytes_;
  bytes_.replace(12, 8, 8, '\xff');  // 4 G of each: refused before anything is allocated
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_ = whole;
  bytes_[kFirstNode + 34] = 5;  // more moves than there are in all
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_ = whole;
  bytes_[kFirstNode + 34] = 0;  // its move is read as the next position
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_ = whole;
  bytes_[kSecondNode + 34] = 2;  // a move is left over
  EXPECT_EQ(Parse(), "bad_snapshot");
}

TEST_F(BrokenSnapshot, WrongOrderAndDuplicatesAreRefused) {
  const std::string whole = bytes_;
  bytes_[kFirstNode] = 6;  // after the second position
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_ = whole;
  bytes_[kFirstNode] = 5;  // equal to the second position
  bytes_[kFirstNode + 2] = 0;
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_ = whole;
  std::swap_ranges(bytes_.begin() + kSecondEdges, bytes_.begin() + kSecondEdges + 10,
                   bytes_.begin() + kSecondEdges + 10);
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_ = whole;
  bytes_.replace(kSecondEdges + 10, 10, bytes_, kSecondEdges, 10);
  EXPECT_EQ(Parse(), "bad_snapshot");
}

TEST_F(BrokenSnapshot, WhatTheRulesRefuseIsRefused) {
  const std::string whole = bytes_;
  bytes_[kFirstEdge] = 9;  // takes nine stones
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_ = whole;
  bytes_[kFirstNode + 5] = 1;  // bits that no position has
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_ = whole;
  bytes_[kFirstNode + 32] = 0;  // ply 0
  EXPECT_EQ(Parse(), "bad_snapshot");
  bytes_ = whole;
  bytes_.replace(kFirstEdge + 2, 8,
                 "\xff\xff\xff\xff\xff\xff\xff\x7f");  // weight beyond all bounds
  EXPECT_EQ(Parse(), "bad_snapshot");
}

// Whatever a flipped bit does, an accepted graph serialises to exactly these bytes.
TEST_F(BrokenSnapshot, AFlippedBitIsRefusedOrIsAnotherBook) {
  const std::string whole = bytes_;
  int refused = 0;
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    bytes_ = whole;
    bytes_[bit / 8] = static_cast<char>(bytes_[bit / 8] ^ 1 << bit % 8);
    const auto graph = Graph::Parse(ToyRules(), bytes_);
    if (graph.ok()) {
      EXPECT_EQ(graph->Serialize(), bytes_) << bit;
    } else {
      EXPECT_EQ(ProblemOf(graph.status()).code, "bad_snapshot") << bit;
      ++refused;
    }
  }
  EXPECT_GT(refused, 600);  // of 1168 bits; weights (4 x 41) and plies are free to be others
}

}  // namespace
}  // namespace joseki::book
