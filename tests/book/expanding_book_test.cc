#include "book/expanding_book.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/toy_rules.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using Leaf = ExpandingBook::Leaf;

const testing::ToyRules kToy;

Move MoveOf(const std::string& text) { return *kToy.MoveOf(text); }

PackedPosition After(const std::vector<std::string>& moves) {
  const auto state = *kToy.Start("startpos", MatchRules{});
  for (const std::string& move : moves) EXPECT_TRUE(state->Play(MoveOf(move)));
  return state->packed();
}

ExpandingBook::Entry EntryAt(const std::vector<std::string>& line,
                             const std::vector<std::pair<std::string, int>>& moves) {
  ExpandingBook::Entry entry{
      .packed = After(line), .ply = static_cast<int>(line.size()) + 1, .moves = {}};
  for (const auto& [move, value] : moves) entry.moves.push_back({MoveOf(move), value});
  return entry;
}

ExpandingBook BookOf(std::vector<ExpandingBook::Entry> entries) {
  auto book = ExpandingBook::Of(kToy, std::move(entries));
  EXPECT_TRUE(book.ok()) << book.status();
  return *std::move(book);
}

// LOGISTELLO's figure: the end of the principal line moves when replies and a sibling of it become
// known.
TEST(ExpandingBook, FollowsThePrincipalLine) {
  ExpandingBook book =
      BookOf({EntryAt({}, {{"a1", 30}, {"a2", 10}}), EntryAt({"a1"}, {{"b1", -40}, {"b2", -25}}),
              EntryAt({"a2"}, {{"b3", -10}})});
  EXPECT_EQ(book.root_value(), 25);  // after a1 the other side takes b2
  auto leaf = book.PrincipalLeaf();
  ASSERT_TRUE(leaf.has_value());
  EXPECT_EQ(leaf->parent, After({"a1"}));
  EXPECT_EQ(leaf->move, MoveOf("b2"));
  EXPECT_EQ(leaf->position, After({"a1", "b2"}));
  EXPECT_THAT(leaf->known, ElementsAre(MoveOf("b1"), MoveOf("b2")));
  EXPECT_THAT(leaf->line, ElementsAre(After({}), After({"a1"})));
  // The search there finds little, and a better reply at its parent: a2 becomes the principal move.
  ASSERT_TRUE(book.Add(EntryAt({"a1", "b2"}, {{"a1", 20}, {"b1", 5}})).ok());
  EXPECT_EQ(book.root_value(), 20);
  ASSERT_TRUE(book.Add(EntryAt({"a1"}, {{"b3", 60}})).ok());
  EXPECT_EQ(book.root_value(), 10);
  leaf = book.PrincipalLeaf();
  ASSERT_TRUE(leaf.has_value());
  EXPECT_EQ(leaf->parent, After({"a2"}));
}

TEST(ExpandingBook, TranspositionsAreOnePosition) {
  ExpandingBook book = BookOf({EntryAt({}, {{"a1", 0}, {"b1", 0}}), EntryAt({"a1"}, {{"b1", 0}}),
                               EntryAt({"b1"}, {{"a1", 0}}), EntryAt({"a1", "b1"}, {{"a1", 70}})});
  EXPECT_EQ(book.positions(), 4u);
  EXPECT_EQ(book.root_value(), 70);
  EXPECT_EQ(book.PrincipalLeaf()->parent, After({"b1", "a1"}));
}

TEST(ExpandingBook, DropOutPrefersShortAndCheapLines) {
  ExpandingBook book =
      BookOf({EntryAt({}, {{"a1", 30}, {"a2", 0}, {"a3", -500}}), EntryAt({"a1"}, {{"b1", -30}}),
              EntryAt({"a1", "b1"}, {{"a2", 30}})});
  // The principal line costs 3 plies; a2 one ply and 30 centipawns; a3 530 centipawns.
  EXPECT_EQ(book.DropOutLeaf(0.1)->parent, After({"a1", "b1"}));
  EXPECT_THAT(book.DropOutLeaf(0.1)->line, SizeIs(3));
  EXPECT_EQ(book.DropOutLeaf(0.05)->parent, After({}));  // 1 + 1.5 is less than 3
  EXPECT_EQ(book.DropOutLeaf(0.05)->move, MoveOf("a2"));
  EXPECT_THAT(book.DropOutLeaf(0.05)->line, ElementsAre(After({})));
}

TEST(ExpandingBook, ALineThatRepeatsHasNoEnd) {
  ExpandingBook book = BookOf({EntryAt({}, {{"x", 0}, {"a1", -50}}), EntryAt({"x"}, {{"x", 0}})});
  EXPECT_EQ(book.root_value(), 0);
  EXPECT_FALSE(book.PrincipalLeaf().has_value());
  EXPECT_EQ(book.DropOutLeaf(0.1)->move, MoveOf("a1"));
}

TEST(ExpandingBook, ClosedLeavesAreNotExpandedAgain) {
  ExpandingBook book = BookOf({EntryAt({}, {{"a1", 30}, {"a2", 10}})});
  book.Close(After({}), MoveOf("a1"), -200);
  EXPECT_EQ(book.root_value(), 10);
  EXPECT_EQ(book.PrincipalLeaf()->move, MoveOf("a2"));
  book.Close(After({}), MoveOf("a2"), 32'000);
  EXPECT_FALSE(book.PrincipalLeaf().has_value());
  EXPECT_FALSE(book.DropOutLeaf(0.1).has_value());
}

TEST(ExpandingBook, RefusesWhatTheRulesRefuse) {
  EXPECT_FALSE(
      ExpandingBook::Of(kToy, {{.packed = After({}), .ply = 1, .moves = {{Move::Board(5, 1), 0}}}})
          .ok());
  ExpandingBook empty = BookOf({});
  EXPECT_FALSE(empty.PrincipalLeaf().has_value());
  EXPECT_EQ(empty.root_value(), 0);
}

}  // namespace
}  // namespace joseki::book
