#include "book/play_book.h"

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

using joseki::testing::ToyMoves;
using joseki::testing::ToyPosition;
using joseki::testing::ToyRules;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// One position: a1, a2, b1 with these weights; the answer is a2. And "0-1", where the only legal
// move is in the book.
PlayBook MakeBook(const std::vector<double>& weights) {
  std::vector<GraphInput> positions(2);
  positions[0].packed = ToyPosition::Of("startpos").value().first.packed();
  for (const Move move : ToyMoves("a1 a2 b1")) positions[0].moves.push_back({move, 0});
  positions[1].packed = ToyPosition::Of("1-1 b 1").value().first.packed();
  for (const Move move : ToyMoves("a1 b1")) positions[1].moves.push_back({move, 0});
  std::sort(positions.begin(), positions.end(),
            [](const GraphInput& a, const GraphInput& b) { return a.packed < b.packed; });
  for (GraphInput& position : positions) {
    std::sort(position.moves.begin(), position.moves.end(),
              [](const auto& a, const auto& b) { return a.move < b.move; });
  }
  const ToyRules rules;
  auto graph = std::make_shared<const Graph>(*Graph::Build(rules, positions));
  std::vector<double> all(graph->edge_count(), 1);
  std::vector<EdgeId> answers(graph->node_count());
  for (NodeId id = 0; id < graph->node_count(); ++id) answers[id] = graph->node(id).first;
  const NodeId start = graph->Find(ToyPosition::Of("startpos").value().first.key());
  const std::vector<Move> moves = ToyMoves("a1 a2 b1");
  for (size_t i = 0; i < moves.size(); ++i) all[graph->FindMove(start, moves[i])] = weights[i];
  answers[start] = graph->FindMove(start, moves[1]);
  return MakePlayBook(std::move(graph), std::move(all), std::move(answers));
}

Key KeyOf(const std::string& position) { return ToyPosition::Of(position).value().first.key(); }

std::map<std::string, int> Draw(const PlayBook& book, const PlayRules& rules, int times) {
  Rng rng(1);
  std::map<std::string, int> drawn;
  for (int i = 0; i < times; ++i) {
    const BookWord word = AskBook(book, rules, KeyOf("startpos"), 0, false, rng);
    ++drawn[word.move ? ToyRules().Text(word.move) : "none"];
  }
  return drawn;
}

TEST(PlayBookTest, PlaysItsAnswer) {
  const PlayBook book = MakeBook({10, 20, 35});
  EXPECT_EQ(book.gap, 25);
  EXPECT_EQ(Draw(book, {}, 5)["a2"], 5);
  Rng rng(1);
  EXPECT_FALSE(AskBook(book, {}, KeyOf("3-3 b 1"), 0, false, rng).move);
  EXPECT_FALSE(AskBook(book, {}, KeyOf("startpos"), 0, /*seen=*/true, rng).move);
  EXPECT_TRUE(AskBook(book, {.max_plies = 4}, KeyOf("startpos"), 3, false, rng).move);
  EXPECT_FALSE(AskBook(book, {.max_plies = 4}, KeyOf("startpos"), 4, false, rng).move);
}

// With weights 0, 20 and 40 and range 1 each r is uniform in [0, 40], and b1 usually wins. a1 would
// need r1 - r3 > 40, which never happens; a2 needs r2 - r3 > 20, which has probability 1/8.
TEST(PlayBookTest, RangesAreMeasuredInGaps) {
  const PlayBook book = MakeBook({0, 20, 40});
  EXPECT_EQ(Draw(book, {.choice = PlayRules::Choice::kRange, .range = 0}, 100)["b1"], 100);
  const auto once = Draw(book, {.choice = PlayRules::Choice::kRange, .range = 1}, 8000);
  EXPECT_EQ(once.count("a1"), 0u);
  EXPECT_NEAR(once.at("a2"), 1000, 150);
  const auto wider = Draw(book, {.choice = PlayRules::Choice::kRange, .range = 1.5}, 8000);
  EXPECT_GT(wider.at("a1"), 0);
  EXPECT_GT(wider.at("a2"), once.at("a2"));
}

TEST(PlayBookTest, EqualWeightsAreDrawnEvenly) {
  const auto drawn =
      Draw(MakeBook({1, 1, 1}), {.choice = PlayRules::Choice::kRange, .range = 1}, 9000);
  for (const char* const move : {"a1", "a2", "b1"}) EXPECT_NEAR(drawn.at(move), 3000, 200);
}

TEST(PlayBookTest, SharesAreThoseOfTheWeights) {
  const auto drawn = Draw(MakeBook({100, -5, 300}), {.choice = PlayRules::Choice::kShare}, 8000);
  EXPECT_EQ(drawn.count("a2"), 0u);
  EXPECT_NEAR(drawn.at("a1"), 2000, 200);
  // All weights are at most zero, so all moves are equally likely.
  EXPECT_THAT(Draw(MakeBook({0, -5, 0}), {.choice = PlayRules::Choice::kShare}, 500), SizeIs(3));
}

TEST(PlayBookTest, DeviatesAsOftenAsItIsTold) {
  const PlayBook book = MakeBook({1, 2, 3});
  EXPECT_NEAR(Draw(book, {.deviation = 0.25}, 8000).at("none"), 2000, 200);
  Rng rng(1);
  const BookWord word = AskBook(book, {.deviation = 1}, KeyOf("startpos"), 0, false, rng);
  EXPECT_FALSE(word.move);
  std::vector<Move> excluded;
  for (const Graph::Edge& edge : word.excluded) excluded.push_back(edge.move);
  const std::vector<Move> moves = ToyMoves("a1 a2 b1");
  EXPECT_THAT(excluded, UnorderedElementsAre(moves[0], moves[1], moves[2]));
  // If only book moves are legal, no side can deviate: a1, b1 (the heaps are equal).
  EXPECT_TRUE(AskBook(book, {.deviation = 1}, KeyOf("1-1 b 1"), 0, false, rng).move);
}

// A shipped book plays as the original does, even where the answer does not have the largest
// weight.
TEST(ShippedBook, IsThePlayBookAgain) {
  const PlayBook book = MakeBook({2.5, 1, 0.0004});
  const auto shipped = ShippedBook(ToyRules(), book);
  ASSERT_TRUE(shipped.ok()) << shipped.status();
  const auto parsed = Graph::Parse(ToyRules(), shipped->Serialize());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const PlayBook again = PlayBookOf(std::make_shared<const Graph>(*parsed));
  ASSERT_EQ(again.graph->edge_count(), book.graph->edge_count());
  EXPECT_EQ(again.answers, book.answers);
  const NodeId start = book.graph->Find(KeyOf("startpos"));
  const EdgeId a2 = book.answers[start];
  for (EdgeId edge = 0; edge < book.graph->edge_count(); ++edge) {
    // The answer was lifted above 2.5.
    EXPECT_NEAR(again.weights[edge], edge == a2 ? 3.5 : book.weights[edge], 1e-3) << edge;
  }
}

}  // namespace
}  // namespace joseki::book
