#include "book/tuning/line.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "book/tuning/tuner.h"
#include "gmock/gmock.h"
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
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

std::string Words(const std::vector<Move>& moves) {
  std::string words;
  for (const Move move : moves) words += (words.empty() ? "" : " ") + ToyRules().Text(move);
  return words;
}

class LineTest : public ::testing::Test {
 protected:
  void Use(const std::vector<GraphInput>& book, std::string_view start = "startpos",
           std::string_view policy = "sample-average") {
    graph_ = std::make_shared<const Graph>(Graph::Build(ToyRules(), book).value());
    policy_ = std::shared_ptr<const Policy>(MakePolicy(policy, {}).value());
    tuner_ = std::make_unique<Tuner>(graph_, policy_);
    start_ = graph_->Find(ToyAt(start).key());
    ASSERT_NE(start_, kNoNode);
  }
  std::optional<Line> Choose(const LineRules& rules, Rng& rng,
                             const LineFilter& refused = nullptr) {
    return ChooseLine(*tuner_, start_, 0, rules, rng, refused);
  }
  // Makes the policy prefer this line's moves over all others.
  void Favour(std::string_view line) {
    const std::vector<EdgeId> edges = EdgesOf(*graph_, start_, ToyMoves(line));
    for (const EdgeId edge : edges) tuner_->Load(edge, 0, {1, 0, 0, 1});
  }

  std::shared_ptr<const Graph> graph_;
  std::shared_ptr<const Policy> policy_;
  std::unique_ptr<Tuner> tuner_;
  NodeId start_ = kNoNode;
};

constexpr LineRules kNoDeviation = {.deviation = 0, .max_book_plies = 0};

TEST_F(LineTest, FollowsTheBookToItsEnd) {
  Use(ToyBook(6, "a1 b1"));
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const auto line = Choose(kNoDeviation, rng);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->moves.size(), 6u);
    EXPECT_THAT(line->excluded, IsEmpty());
    ASSERT_EQ(line->edges.size(), line->moves.size());
    NodeId node = start_;
    for (size_t ply = 0; ply < line->edges.size(); ++ply) {
      const Graph::Edge& edge = graph_->edge(line->edges[ply]);
      EXPECT_EQ(edge.from, node);
      EXPECT_EQ(edge.move, line->moves[ply]);
      node = edge.to;
    }
    EXPECT_EQ(node, kNoNode);
    EXPECT_EQ(EdgesOf(*graph_, start_, line->moves), line->edges);
  }
}

TEST_F(LineTest, EndsOutOfTheBookOrAtAPositionPassedBefore) {
  Use(ToyBook(6, "a1 a2 b1 x"));
  Rng rng(2);
  bool came_back = false;
  for (int i = 0; i < 500; ++i) {
    const auto line = Choose(kNoDeviation, rng);
    ASSERT_TRUE(line);
    std::set<NodeId> passed = {start_};
    for (size_t ply = 0; ply < line->edges.size(); ++ply) {
      const NodeId to = graph_->edge(line->edges[ply]).to;
      const bool is_new = to != kNoNode && passed.insert(to).second;
      EXPECT_EQ(is_new, ply + 1 < line->edges.size());
      came_back |= to != kNoNode && !is_new;
    }
  }
  EXPECT_TRUE(came_back);
}

TEST_F(LineTest, IsTheSameForTheSameSeed) {
  Use(ToyBook(8));
  Rng a(5);
  Rng b(5);
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(Choose({.deviation = 0.1}, a), Choose({.deviation = 0.1}, b));
}

TEST_F(LineTest, TakesThePolicysChoice) {
  Use(ToyBook(4, "a1 b1"));
  Favour("b1 a1 a1 b1");
  Rng rng(1);
  EXPECT_EQ(Words(Choose(kNoDeviation, rng)->moves), "b1 a1 a1 b1");
}

TEST_F(LineTest, StopsAtThePlyLimit) {
  Use(ToyBook(6, "a1 b1"));
  Rng rng(1);
  for (const int limit : {1, 3, 6, 9}) {
    const auto line = Choose({.deviation = 0, .max_book_plies = limit}, rng);
    EXPECT_EQ(line->moves.size(), static_cast<size_t>(std::min(limit, 6)));
    EXPECT_THAT(line->excluded, IsEmpty());
  }
}

TEST_F(LineTest, ADeviationExcludesEveryBookMove) {
  Use(ToyBook(6, "a1 b1"));
  Rng rng(1);
  const auto line = Choose({.deviation = 1}, rng);
  EXPECT_THAT(line->moves, IsEmpty());
  EXPECT_THAT(line->edges, IsEmpty());
  EXPECT_THAT(line->excluded, UnorderedElementsAreArray(ToyMoves("a1 b1")));
}

// The thesis: at 0.008 a ply, 0.992^45 = 70 % of lines of 45 plies reach their end. Here 0.1 and
// six plies: 53.1 %; and each ply is left with the same chance.
TEST_F(LineTest, DeviatesWithTheSameChanceAtEachPly) {
  Use(ToyBook(6, "a1 b1"));
  Rng rng(7);
  std::vector<int> reached(7);
  constexpr int kLines = 20000;
  int at_end = 0;
  for (int i = 0; i < kLines; ++i) {
    const auto line = Choose({.deviation = 0.1}, rng);
    if (line->excluded.empty()) ++at_end;
    for (size_t ply = 0; ply <= line->moves.size(); ++ply) ++reached[ply];
  }
  EXPECT_EQ(reached[6], at_end);
  EXPECT_NEAR(at_end, 0.531441 * kLines, 200);
  double expected = kLines;
  for (int ply = 0; ply <= 6; ++ply, expected *= 0.9)
    EXPECT_NEAR(reached[ply], expected, 200) << ply;
}

TEST_F(LineTest, NobodyLeavesTheBookWhereNoOtherMoveIsLegal) {
  Use({ToyInput("1-1 b 1", "a1 b1"), ToyInput("0-1 w 1", "b1 x"), ToyInput("1-0 w 1", "a1")},
      "1-1 b 1");
  Rng rng(1);
  bool seen_open = false;
  for (int i = 0; i < 50; ++i) {
    const auto line = Choose({.deviation = 1}, rng);
    if (line->moves == ToyMoves("b1")) {  // in 1-0 the exchange is legal, and not in the book
      EXPECT_EQ(Words(line->excluded), "a1");
      seen_open = true;
    } else {  // 1-1 and 0-1 are closed
      EXPECT_EQ(line->moves.size(), 2u);
      EXPECT_THAT(line->excluded, IsEmpty());
    }
  }
  EXPECT_TRUE(seen_open);
}

TEST_F(LineTest, EndsWhereItComesBack) {
  Use({ToyInput("1-2 b 1", "x"), ToyInput("2-1 w 1", "x")}, "1-2 b 1");
  Rng rng(1);
  const auto line = Choose(kNoDeviation, rng);
  EXPECT_EQ(Words(line->moves), "x x");
  EXPECT_THAT(line->excluded, IsEmpty());
}

TEST_F(LineTest, IsEmptyWhereTheStartHasNoMoves) {
  Use({ToyInput("1-2 b 1", "")}, "1-2 b 1");
  Rng rng(1);
  EXPECT_EQ(Choose({.deviation = 1}, rng), Line());
}

TEST_F(LineTest, FindsItsWayRoundARefusedLine) {
  Use(ToyBook(3, "a1 b1"));
  Favour("b1 a1 a1");
  Rng rng(1);
  const std::vector<Move> best = ToyMoves("b1 a1 a1");
  const auto line = Choose(kNoDeviation, rng, [&](const Line& l) { return l.moves == best; });
  ASSERT_TRUE(line);
  EXPECT_EQ(line->moves.size(), 3u);
  EXPECT_NE(line->moves, best);
  // Only the last choice was taken back.
  EXPECT_EQ(std::vector<Move>(line->moves.begin(), line->moves.begin() + 2), ToyMoves("b1 a1"));
  EXPECT_EQ(EdgesOf(*graph_, start_, line->moves), line->edges);
}

TEST_F(LineTest, MeetsEveryLineBeforeItGivesUp) {
  Use(ToyBook(5, "a1 b1"));
  std::set<std::string> met;
  int calls = 0;
  Rng rng(1);
  EXPECT_EQ(Choose(kNoDeviation, rng,
                   [&](const Line& line) {
                     ++calls;
                     met.insert(Words(line.moves));
                     return true;
                   }),
            std::nullopt);
  EXPECT_EQ(met.size(), 32u);
  EXPECT_EQ(calls, 32);
}

// One line at a time is poisoned until none is left: a run never gets stuck before that.
TEST_F(LineTest, WorksThroughEveryLineAsTheyArePoisoned) {
  Use(ToyBook(5, "a1 b1"), "startpos", "result-driven");
  std::set<std::vector<Move>> poisoned;
  Rng rng(3);
  const auto refused = [&](const Line& line) { return poisoned.contains(line.moves); };
  while (const auto line = Choose(kNoDeviation, rng, refused)) {
    ASSERT_TRUE(poisoned.insert(line->moves).second) << Words(line->moves);
  }
  EXPECT_EQ(poisoned.size(), 32u);
}

TEST_F(LineTest, DeviatesWhereEveryMoveIsRefused) {
  Use(ToyBook(2));
  Rng rng(1);
  const auto line =
      Choose({.deviation = 1e-9}, rng, [](const Line& l) { return l.excluded.empty(); });
  ASSERT_TRUE(line);
  EXPECT_EQ(line->moves.size(), 1u);
  EXPECT_EQ(line->excluded.size(), 3u);
}

TEST_F(LineTest, EdgesEndWhereTheBookDoes) {
  Use(ToyBook(2));
  EXPECT_EQ(EdgesOf(*graph_, start_, ToyMoves("a1 b1 a3 a3")).size(), 2u);
  EXPECT_EQ(EdgesOf(*graph_, start_, ToyMoves("a1 b3 a1")).size(), 1u);
  EXPECT_THAT(EdgesOf(*graph_, start_, ToyMoves("x a1")), IsEmpty());
  EXPECT_THAT(EdgesOf(*graph_, start_, {}), IsEmpty());
}

// A book of one answer a position.
PlayBook AnswerBookOf(const std::vector<GraphInput>& positions) {
  auto graph = std::make_shared<const Graph>(Graph::Build(ToyRules(), positions).value());
  std::vector<EdgeId> answers(graph->node_count(), kNoEdge);
  for (NodeId id = 0; id < graph->node_count(); ++id) {
    if (graph->node(id).count > 0) answers[id] = graph->node(id).first;
  }
  std::vector<double> weights(graph->edge_count(), 1);
  return MakePlayBook(std::move(graph), std::move(weights), std::move(answers));
}

TEST_F(LineTest, AnOpponentPlaysItsOwnBook) {
  Use(ToyBook(6, "a1 a2 b1"));
  const PlayBook theirs = AnswerBookOf(ToyBook(4, "b1"));
  LineRules rules{.deviation = 0.1, .max_book_plies = 0};
  rules.own = Color::kFirst;
  rules.opponent = &theirs;
  Rng rng(3);
  size_t longest = 0;
  size_t deviated = 0;
  for (int i = 0; i < 300; ++i) {
    const auto line = Choose(rules, rng);
    ASSERT_TRUE(line);
    NodeId node = start_;
    for (const EdgeId edge : line->edges) {
      if (graph_->edge(edge).mover == Color::kSecond) {
        // The opponent's book has moves only at positions that b1 alone leads to.
        EXPECT_EQ(ToyRules().Text(graph_->edge(edge).move), "b1");
        EXPECT_NE(theirs.graph->Find(graph_->node(node).key), kNoNode);
      }
      node = graph_->edge(edge).to;
    }
    longest = std::max(longest, line->moves.size());
    // Our side deviates, the opponent never does.
    if (!line->excluded.empty()) {
      ++deviated;
      EXPECT_EQ(graph_->node(node).to_move, Color::kFirst);
    }
  }
  EXPECT_GE(longest, 3u);
  EXPECT_GT(deviated, 0u);
  // Without an opponent's book the line ends at the opponent's turn.
  rules.opponent = nullptr;
  rules.deviation = 0;
  EXPECT_EQ(Choose(rules, rng)->moves.size(), 1u);
  rules.own = Color::kSecond;
  EXPECT_EQ(Choose(rules, rng)->moves.size(), 0u);
  // The opponent's moves are not taken back: a refusal changes our choices before them.
  rules.own = Color::kFirst;
  rules.opponent = &theirs;
  const auto refused = [&](const Line& line) {
    return line.moves.empty() || line.moves[0] != ToyMoves("a2")[0];
  };
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(Words(Choose(rules, rng, refused)->moves).substr(0, 2), "a2");
  EXPECT_FALSE(Choose(rules, rng, [](const Line&) { return true; }));
}

}  // namespace
}  // namespace joseki::book
