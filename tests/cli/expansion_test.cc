#include "cli/book/expansion.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/book/leaf_expansion.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

namespace joseki::cli {
namespace {

using joseki::testing::ToyMoves;
using joseki::testing::ToyRules;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// Plays the first legal move that is not excluded, and thinks less of each further one.
class FirstMovePlayer : public worker::Player {
 public:
  absl::Status NewGame(uint64_t) override { return absl::OkStatus(); }
  absl::StatusOr<worker::Choice> Choose(const worker::GameLine& game,
                                        const worker::Limits& limits) override {
    searched.emplace_back(game.start);
    nodes = limits.nodes;
    const auto state = *rules_.Start(game.start, MatchRules{});
    for (const Move move : state->LegalMoves()) {
      if (std::count(limits.excluded.begin(), limits.excluded.end(), move) > 0) continue;
      worker::Choice choice;
      choice.move = move;
      choice.score = -100 * static_cast<int>(limits.excluded.size());
      return choice;
    }
    worker::Choice choice;
    choice.kind = worker::Choice::Kind::kResign;
    return choice;
  }
  void Stop() override {}

  std::vector<std::string> searched;
  uint64_t nodes = 0;

 private:
  ToyRules rules_;
};

class ExpansionTest : public ::testing::Test {
 protected:
  std::vector<book::DbPosition> Run(const ExpansionOptions& options) {
    auto positions = Expand(graph_, rules_, player_, options, [this](size_t done, size_t known) {
      EXPECT_LE(done, known);
      done_ = done;
      return false;
    });
    EXPECT_TRUE(positions.ok()) << positions.status();
    return *positions;
  }

  ToyRules rules_;
  FirstMovePlayer player_;
  book::Graph graph_ = *book::Graph::Build(rules_, joseki::testing::ToyBook(2));
  size_t done_ = 0;
};

TEST_F(ExpansionTest, SearchesTheNearestFirstAndEachPositionOnce) {
  const auto positions = Run({.nodes = 77, .plies = 3, .width = 1});
  EXPECT_EQ(player_.nodes, 77u);
  // The start; after a1, a2, b1; after two of these, a1 b1 = b1 a1 and a2 b1 = b1 a2, and
  // a1 a2 = a2 a1.
  EXPECT_THAT(positions, SizeIs(1 + 3 + 6));
  EXPECT_EQ(done_, positions.size());
  EXPECT_EQ(player_.searched[0], "9-12 b 1");
  auto sorted = player_.searched;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  for (size_t i = 1; i < positions.size(); ++i) EXPECT_GE(positions[i].ply, positions[i - 1].ply);
}

TEST_F(ExpansionTest, StopsAtTheDistanceAsked) {
  EXPECT_THAT(Run({.plies = 1}), SizeIs(1));
  EXPECT_THAT(Run({.plies = 2}), SizeIs(1 + 3));
}

TEST_F(ExpansionTest, AsksForFurtherMovesWithinTheMargin) {
  const auto wide = Run({.plies = 1, .width = 3, .margin = 1000});
  ASSERT_THAT(wide, SizeIs(1));
  ASSERT_THAT(wide[0].moves, SizeIs(3));
  std::vector<int> values;
  for (const book::DbMove& move : wide[0].moves) {
    EXPECT_TRUE(move.has_value);
    EXPECT_FALSE(move.has_depth);
    EXPECT_EQ(move.count, 0u);
    values.push_back(move.value);
  }
  EXPECT_THAT(values, ElementsAre(0, -100, -200));
  EXPECT_THAT(Run({.plies = 1, .width = 3, .margin = 150})[0].moves, SizeIs(2));
}

TEST_F(ExpansionTest, TakesNoMoreMovesThanAreLegal) {
  const auto positions = Run({.plies = 1, .width = 500, .margin = 100000});
  const auto start = *rules_.Start("startpos", MatchRules{});
  EXPECT_EQ(positions[0].moves.size(), start->LegalMoves().size());
}

// Two searches at the leaf, one at its parent, and the next leaf is where the book now ends.
TEST_F(ExpansionTest, ExpandsLeafAfterLeaf) {
  auto book = book::ExpandingBook::Of(
      rules_, {{.packed = (*rules_.Start("startpos", MatchRules{}))->packed(),
                .ply = 1,
                .moves = {{*rules_.MoveOf("a1"), 50}}}});
  ASSERT_TRUE(book.ok()) << book.status();
  const auto expansion =
      ExpandLeaves(rules_, *book, player_, {.nodes = 9, .leaves = 3}, [this](int done, int of) {
        EXPECT_EQ(of, 3);
        done_ = static_cast<size_t>(done);
        return false;
      });
  ASSERT_TRUE(expansion.ok()) << expansion.status();
  EXPECT_EQ(done_, 3u);
  EXPECT_EQ(expansion->expanded, 3);
  EXPECT_EQ(expansion->searches, 9);
  EXPECT_EQ(expansion->root_before, 50);
  EXPECT_EQ(player_.nodes, 9u);
  EXPECT_EQ(player_.searched[0], "8-12 w 2");
  EXPECT_EQ(player_.searched[1], "8-12 w 2");
  EXPECT_EQ(player_.searched[2], "9-12 b 1");
  EXPECT_THAT(expansion->positions, SizeIs(6));
  EXPECT_EQ(expansion->positions[0].moves.size(), 2u);
  EXPECT_EQ(expansion->positions[0].moves[1].value, -100);
}

// Whoever stops it keeps what was found.
TEST_F(ExpansionTest, EndsWhenAsked) {
  auto book = book::ExpandingBook::Of(
      rules_, {{.packed = (*rules_.Start("startpos", MatchRules{}))->packed(),
                .ply = 1,
                .moves = {{*rules_.MoveOf("a1"), 50}}}});
  const auto leaves = ExpandLeaves(rules_, *book, player_, {.nodes = 9, .leaves = 3},
                                   [](int done, int) { return done == 1; });
  ASSERT_TRUE(leaves.ok()) << leaves.status();
  EXPECT_EQ(leaves->expanded, 1);
  EXPECT_THAT(leaves->positions, SizeIs(2));
  const auto positions =
      Expand(graph_, rules_, player_, {.plies = 2}, [](size_t done, size_t) { return done == 2; });
  ASSERT_TRUE(positions.ok()) << positions.status();
  EXPECT_THAT(*positions, SizeIs(2));
}

TEST_F(ExpansionTest, AnEmptyBookHasNoLeaf) {
  auto book = book::ExpandingBook::Of(rules_, {});
  ASSERT_TRUE(book.ok());
  const auto expansion =
      ExpandLeaves(rules_, *book, player_, {.leaves = 3}, [](int, int) { return false; });
  ASSERT_TRUE(expansion.ok());
  EXPECT_EQ(expansion->expanded, 0);
  EXPECT_THAT(expansion->positions, SizeIs(0));
}

}  // namespace
}  // namespace joseki::cli
