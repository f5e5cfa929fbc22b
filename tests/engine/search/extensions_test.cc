// Moves that gain depth: singular moves with multi-cut, and the half ply, on trees whose answer is
// known.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/engine/search/tree_searcher.h"

namespace joseki {
namespace {

// The root's move leads to a node of the principal variation with three plies left. There the
// second side's move `good` is worth 100 to it, and one ply further 90.
Tree LineWith(std::initializer_list<Value> other) {
  Tree tree;
  tree.nodes["root"].children = {"line"};
  tree.nodes["line"].children = {"good", "other"};
  AddLine(tree, "good", {-100, -100, -100, -90});
  AddLine(tree, "other", other);
  return tree;
}

constexpr Value kUnextended = -100;
constexpr Value kExtended = -90;

TEST(SingularInTheLine, TestsTheOthersAtTheDepthThatTheyHaveAnyway) {
  SearchOptions options = kBare;
  options.singular_classic = 1;
  // A rival that shows itself in the last ply, and one that would a ply later.
  EXPECT_EQ(Searched(LineWith({0, 0, -90}), 4, options).value, kUnextended);
  EXPECT_EQ(Searched(LineWith({0, 0, 0, -90}), 4, options).value, kExtended);
  // Margin 25: 75 comes within it, 74 does not.
  EXPECT_EQ(Searched(LineWith({-75}), 4, options).value, kUnextended);
  EXPECT_EQ(Searched(LineWith({-74}), 4, options).value, kExtended);
  EXPECT_EQ(Searched(LineWith({0}), 4, kBare).value, kUnextended);
}

TEST(SingularInTheLine, TestsEveryMoveThatBecomesBest) {
  Tree tree;
  tree.nodes["root"].children = {"line"};
  tree.nodes["line"].children = {"first", "later"};
  AddLine(tree, "first", {0});
  AddLine(tree, "later", {50, 50, -100, -90});
  SearchOptions options = kBare;
  options.singular_classic = 1;
  EXPECT_EQ(Searched(tree, 4, options).value, kExtended);
  EXPECT_EQ(Searched(tree, 4, kBare).value, kUnextended);
}

TEST(SingularInTheLine, SearchesTheOthersAgainWhereTheDeeperValueFallsBelowThem) {
  Tree tree = LineWith({-60});
  tree.nodes["good'''"].value = 200;
  SearchOptions options = kBare;
  options.singular_classic = 1;
  EXPECT_EQ(Searched(tree, 4, options).value, -60);
}

// At the root the first side chooses, and no move is known beforehand.
Tree RootWith(Value far, std::initializer_list<Value> other) {
  Tree tree;
  tree.nodes["root"].children = {"good", "other"};
  AddLine(tree, "good", {100, 100, 100, far});
  AddLine(tree, "other", other);
  return tree;
}

TEST(SingularAtTheRoot, IsTestedWhereItIsAskedFor) {
  SearchOptions options = kBare;
  options.singular_classic = 1;
  EXPECT_EQ(Searched(RootWith(90, {0}), 3, options).value, 100);
  options.singular_classic = 1 + 4;
  EXPECT_EQ(Searched(RootWith(90, {0}), 3, options).value, 90);
  EXPECT_EQ(Searched(RootWith(90, {74}), 3, options).value, 90);
  EXPECT_EQ(Searched(RootWith(90, {75}), 3, options).value, 100) << "within the margin of 25";
  EXPECT_EQ(Searched(RootWith(-200, {60}), 3, options).value, 60) << "the deeper value falls";
  options.singular_classic = 4;
  EXPECT_EQ(Searched(RootWith(90, {0}), 3, options).value, 100) << "which test is not said";
}

TEST(SingularAtTheRoot, AsksNoMoveThatTheSearchMayNotChoose) {
  SearchOptions options = kBare;
  options.singular_classic = 1 + 4;
  Tree tree = RootWith(90, {0});
  tree.nodes["root"].children.push_back("rival");
  AddLine(tree, "rival", {99});
  SearchLimits limits;
  limits.depth = 3;
  EXPECT_EQ(Searcher(options).Run(tree, limits).value, 100);
  const Move rival = TreeGame::Nth(2);
  limits.excluded = {&rival, 1};
  EXPECT_EQ(Searcher(options).Run(tree, limits).value, 90);
}

TEST(SingularAtTheRoot, SavesTheSearchOfTheOthers) {
  SearchOptions options = kBare;
  options.singular_classic = 1 + 4;
  const auto tried = [&](int last) {
    const Tree tree = RootWith(90, {0, 0, 0});
    Searched(tree, last, options);
    return std::count(tree.visits.begin(), tree.visits.end(), "other");
  };
  EXPECT_EQ(tried(3), tried(2) + 1) << "the test is their search";
}

// The same, by two moves from each node to the next, so that none of them stands alone.
void AddDoubleLine(Tree& tree, const std::string& name, std::initializer_list<Value> values) {
  AddLine(tree, name, values);
  std::string node = name;
  for (size_t i = 1; i < values.size(); ++i) {
    std::vector<std::string>& children = tree.nodes[node].children;
    children.push_back(children.front());
    node += "'";
  }
}

// With three plies left `good` stands alone. With four and more `other` is as good as it.
TEST(SingularMemory, ExtendsOnceMoreWhatStoodAloneInTheIterationBefore) {
  Tree tree;
  tree.nodes["root"].children = {"line"};
  tree.nodes["line"].children = {"good", "other"};
  AddDoubleLine(tree, "good", {-100, -100, -100, -100, -90, -120, -120, -120, -120});
  AddDoubleLine(tree, "other", {0, 0, 0, -90, -90, -90, -90, -90, -90});
  SearchOptions options = kBare;
  options.singular_classic = 1;
  EXPECT_EQ(Searched(tree, 5, options).value, -100);
  EXPECT_EQ(Searched(tree, 6, options).value, -90);
  options.singular_memory = 1;
  EXPECT_EQ(Searched(tree, 5, options).value, -90) << "the next iteration needs no test";
  EXPECT_EQ(Searched(tree, 6, options).value, -90) << "the one after has forgotten";
  options.singular_classic = 0;
  EXPECT_EQ(Searched(tree, 5, options).value, -100) << "nothing was tested";
}

// The second iteration remembers `first`. The third ply shows that it is better than it looks, and
// that `second`, worse until then, is better still.
TEST(HalfPly, IsForSoManyMovesOfTheRoot) {
  Tree tree;
  tree.nodes["root"].children = {"first", "second"};
  AddLine(tree, "first", {0, 0, 20});
  AddLine(tree, "second", {-10, -10, 50});
  SearchOptions options = kBare;
  EXPECT_EQ(Searched(tree, 2, options).value, 0);
  options.half_ply = 32;
  EXPECT_EQ(Searched(tree, 2, options).value, 20);
  options.half_ply_moves = 2;
  EXPECT_EQ(Searched(tree, 2, options).value, 50);
  options.half_ply = 31;
  EXPECT_EQ(Searched(tree, 2, options).value, 0) << "less than a ply is none";
  options.half_ply = 32;
  EXPECT_EQ(Searched(tree, 1, options).value, 0) << "nothing is remembered";
}

// The root's third move gains nothing itself. Its two answers seem to refute it until the fourth
// ply, which the third iteration sees where both gain a ply.
TEST(HalfPly, IsForSoManyMovesOfANode) {
  Tree tree;
  tree.nodes["root"].children = {"best", "other", "node"};
  AddLine(tree, "best", {0});
  AddLine(tree, "other", {-5});
  tree.nodes["node"] = {.value = -10, .children = {"first", "second"}};
  AddLine(tree, "first", {-10, -10, 30});
  AddLine(tree, "second", {-10, -10, 50});
  SearchOptions options = kBare;
  options.half_ply = 32;
  EXPECT_EQ(Searched(tree, 3, options).value, 0);
  options.half_ply_moves = 2;
  EXPECT_EQ(Searched(tree, 3, options).value, 30);
}

// The second move of the root is refuted by `cut`, but not a ply deeper; the refuter's `other` is
// worth nothing at full depth.
Tree FailHighWith(Value at_node, std::initializer_list<Value> cut,
                  std::initializer_list<Value> other) {
  Tree tree;
  tree.nodes["root"].children = {"safe", "risky"};
  AddLine(tree, "safe", {50});
  tree.nodes["risky"] = {.value = at_node, .children = {"cut", "other"}};
  AddLine(tree, "cut", cut);
  AddLine(tree, "other", other);
  return tree;
}

TEST(SingularFailHigh, TestsTheOthersTwoPliesLessDeep) {
  SearchOptions options = kBare;
  options.singular_classic = 2;
  const Move safe = TreeGame::Nth(0);
  const Move risky = TreeGame::Nth(1);
  // With three plies left captures alone decide about the other moves, but not about the node
  // itself. They must stay more than 75 below the refuted value.
  EXPECT_EQ(Searched(FailHighWith(0, {0, 0, 0, 200}, {200}), 4, options).best, risky);
  EXPECT_EQ(Searched(FailHighWith(300, {0, 0, 0, 200}, {125, 200}), 4, options).best, safe);
  EXPECT_EQ(Searched(FailHighWith(300, {0, 0, 0, 200}, {126, 200}), 4, options).best, risky);
  // With four left it is one ply.
  EXPECT_EQ(Searched(FailHighWith(0, {0, 0, 0, 0, 200}, {100, 200}), 5, options).best, risky);
  EXPECT_EQ(Searched(FailHighWith(0, {0, 0, 0, 0, 200}, {200, 100, 200}), 5, options).best, safe);
  EXPECT_EQ(Searched(FailHighWith(0, {0, 0, 0, 200}, {200}), 4, kBare).best, safe);
}

// At the node with five plies left the others are searched two plies deep, against 20 less than
// what is known.
TEST(MultiCut, CutsWhereAnotherMoveReachesBetaToo) {
  SearchOptions options = kBare;
  options.singular = 5;
  const Tree tree = SeemsRefuted(200, {0, -200, 0, 0, 200});
  EXPECT_EQ(Searched(tree, 6, options).best, kRisky) << "a test alone cuts nothing";
  options.multi_cut = 1;
  EXPECT_EQ(Searched(tree, 6, options).best, kSafe);
  // 180 is enough, 179 is not.
  EXPECT_EQ(Searched(SeemsRefuted(200, {0, -180, 0, 0, 200}), 6, options).best, kSafe);
  EXPECT_EQ(Searched(SeemsRefuted(200, {-200, -179, -200, -200, 200}), 6, options).best, kRisky);
  options.singular = 6;
  EXPECT_EQ(Searched(tree, 6, options).best, kRisky) << "no node has so many plies left";
}

// The side that answers reaches beta with 50 down.
TEST(MultiCut, NeedsTheLowerValueToReachBeta) {
  SearchOptions options = kBare;
  options.singular = 5;
  options.multi_cut = 1;
  const auto cuts = [&](Value known) {
    Searcher searcher(options);
    searcher.Run(SeemsRefuted(known, {0, -known, 0, 0, 200}), 6);
    return searcher.Acted(Technique::kMultiCut);
  };
  EXPECT_EQ(cuts(-30), 1u);
  EXPECT_EQ(cuts(-31), 0u);
}

// From the fourth iteration on the window is narrow. The sixth has five plies left after the root's
// first move. That move has two refutations, and the other one is 100 down. The window opens
// downward, so both are searched again in the principal variation, where the first refutation is
// known to exceed beta.
TEST(MultiCut, CutsNoNodeOfThePrincipalVariation) {
  Tree tree;
  tree.nodes["root"].children = {"falls", "safe"};
  AddLine(tree, "safe", {-100});
  tree.nodes["falls"].children = {"first", "other"};
  AddLine(tree, "first", {0, -500, 0, 0, -500});
  AddLine(tree, "other", {0, -500, 0, 0, -500});
  SearchOptions options = kBare;
  options.aspiration = 40;
  options.singular = 5;
  options.multi_cut = 1;
  Searcher searcher(options);
  EXPECT_EQ(searcher.Run(tree, 6).best, TreeGame::Nth(1));
  EXPECT_GT(searcher.Acted(Technique::kSingularTest), 0u) << "the rule had a chance";
  EXPECT_EQ(searcher.Acted(Technique::kMultiCut), 0u);
}

}  // namespace
}  // namespace joseki
