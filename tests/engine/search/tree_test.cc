// Techniques of the papers on trees that are small enough to know the answer.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/search/papers/butterflies.h"
#include "engine/search/papers/mate_verdicts.h"
#include "engine/search/search_inl.h"
#include "engine/search/thinking_time.h"
#include "gtest/gtest.h"
#include "tests/engine/search/tree_game.h"

namespace joseki {

template class Search<TreeGame>;

namespace {

using Tree = TreeGame::Tree;

// Alpha-beta and the table, in the order of generation.
constexpr SearchOptions kBare = {.aspiration = 0,
                                 .order_killers = 0,
                                 .order_counter = 0,
                                 .order_history = 0,
                                 .capture_history = 0,
                                 .continuation_history = 0,
                                 .iir = 0,
                                 .corrections = 0,
                                 .null_move = 0,
                                 .futility = 0,
                                 .late_move_pruning = 0,
                                 .late_move_reduction = 0,
                                 .check_pruning = 0,
                                 .see_pruning = 0,
                                 .root_mate_nodes = 0,
                                 .check_extension = 0,
                                 .singular = 0,
                                 .multi_cut = 0,
                                 .regret_moves = 0};

// Adds a line of nodes name, name', name'' .. with these values, each the only child of the one
// before.
void AddLine(Tree& tree, const std::string& name, std::initializer_list<Value> values) {
  std::string node = name;
  for (auto value = values.begin(); value != values.end(); ++value) {
    const std::string next = node + "'";
    tree.nodes[node] = {.value = *value, .children = {}};
    if (std::next(value) != values.end()) tree.nodes[node].children = {next};
    node = next;
  }
}

class Searcher {
 public:
  explicit Searcher(const SearchOptions& options) : search_(size_t{1} << 16) {
    search_.SetOptions(options);
  }
  SearchResult Run(const Tree& tree, int depth, const std::string& root = "root",
                   Color side = Color::kFirst) {
    SearchLimits limits;
    limits.depth = depth;
    return search_.Run({.tree = &tree, .node = root, .side = side}, limits);
  }
  SearchResult Run(const Tree& tree, const SearchLimits& limits, const std::string& root = "root",
                   Color side = Color::kFirst) {
    return search_.Run({.tree = &tree, .node = root, .side = side}, limits);
  }
  uint64_t Acted(Technique technique) const { return search_.counts()[technique]; }

 private:
  Search<TreeGame> search_;
};

SearchResult Searched(const Tree& tree, int depth, const SearchOptions& options) {
  return Searcher(options).Run(tree, depth);
}

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

// The first answer seems to refute the root's second move as far as the test sees, and so does the
// other answer. At the full depth of five plies neither does, and the move is the better one.
// `known` is the table's value of the first answer, for the side that gives it.
Tree SeemsRefuted(Value known, std::initializer_list<Value> other) {
  Tree tree;
  tree.nodes["root"].children = {"safe", "risky"};
  AddLine(tree, "safe", {50});
  tree.nodes["risky"].children = {"first", "other"};
  AddLine(tree, "first", {-known, -known, -known, -known, 200});
  AddLine(tree, "other", other);
  return tree;
}

constexpr Move kSafe = TreeGame::Nth(0);
constexpr Move kRisky = TreeGame::Nth(1);

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

// From the fourth iteration on the window is narrow. In the sixth, which has five plies left behind
// the root's first move, that move is refuted twice over and the other one is 100 down. The window
// opens downward, so both are searched again in the principal variation, where the first refutation
// is known to exceed beta.
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

// The children of a node in the order in which the search first comes to them.
std::vector<std::string> TriedOf(const Tree& tree, const std::string& node) {
  const std::vector<std::string>& moves = tree.At(node).children;
  std::vector<std::string> tried;
  for (const std::string& visit : tree.visits) {
    if (std::find(moves.begin(), moves.end(), visit) != moves.end() &&
        std::find(tried.begin(), tried.end(), visit) == tried.end()) {
      tried.push_back(visit);
    }
  }
  return tried;
}

TEST(OrderGroups, OrdersTheRootByItsOwnGroups) {
  Tree tree;
  tree.nodes["root"] = {.children = {"a", "b", "c", "d"},
                        .groups = {{0, 1}},
                        .root_groups = {{1, 2}, {2, 1}, {3, 2}},
                        .importance = {{1, 5}, {3, 6}},
                        .most = 1};
  for (const char* move : {"a", "b", "c", "d"}) AddLine(tree, move, {0});
  SearchOptions options = kBare;
  options.order_groups = 1;
  Searched(tree, 1, options);
  EXPECT_EQ(TriedOf(tree, "root"), (std::vector<std::string>{"c", "b", "d", "a"}));
  tree.visits.clear();
  options.order_group_limits = 1;
  Searched(tree, 2, options);
  EXPECT_EQ(TriedOf(tree, "root"), (std::vector<std::string>{"c", "d", "b", "a"}))
      << "the more important first; none is left out";
}

TEST(OrderGroups, LimitsANodeByThePliesLeft) {
  Tree tree;
  tree.nodes["root"].children = {"node"};
  tree.nodes["node"] = {.children = {"a", "b", "c", "d"},
                        .groups = {{1, 1}, {2, 2}},
                        .importance = {{3, 1}},
                        .most = 1};
  for (const char* move : {"a", "b", "c", "d"}) AddLine(tree, move, {0});
  SearchOptions options = kBare;
  options.order_groups = 1;
  options.order_table = 0;
  const auto tried = [&](int limits, int depth) {
    tree.visits.clear();
    options.order_group_limits = limits;
    Searched(tree, depth, options);
    return TriedOf(tree, "node");
  };
  EXPECT_EQ(tried(0, 2), (std::vector<std::string>{"b", "c", "a", "d"}));
  EXPECT_EQ(tried(1, 2), (std::vector<std::string>{"b", "c", "d", "a"})) << "one ply left: all";
  options.order_groups = 0;
  EXPECT_EQ(tried(1, 2), (std::vector<std::string>{"a", "b", "c", "d"})) << "there are no groups";
  // With two plies left the group 3 has one move: the others are tried in the iteration before
  // only.
  options.order_groups = 1;
  const auto often = [&](const char* move) {
    return std::count(tree.visits.begin(), tree.visits.end(), std::string(move) + "'");
  };
  for (const char* move : {"a", "b", "c", "d"}) AddLine(tree, move, {0, 0});
  tried(1, 3);
  EXPECT_EQ(often("a"), 0);
  EXPECT_GT(often("b") + often("c"), 1);
  EXPECT_GT(often("d"), 0);
}

TEST(ThinkingTime, IsLessOnceFourIterationsAgree) {
  const SearchOptions options = {.stable_move = 40};
  const SearchLimits limits = {.soft_ms = 1000, .hard_ms = 3000};
  ThinkingTime time(options, limits);
  for (const Move move : {kSafe, kRisky, kRisky, kRisky}) {
    time.Finished(move, 0);
    EXPECT_EQ(time.SoftMs(), 1000);
  }
  time.Finished(kRisky, 0);
  EXPECT_EQ(time.SoftMs(), 400);
  time.Finished(kSafe, 0);
  EXPECT_EQ(time.SoftMs(), 1000);
}

TEST(ThinkingTime, IsTwiceWhereTheScoreHasJustFallen) {
  const SearchOptions options = {.stable_move = 40, .score_drop = 30};
  const SearchLimits limits = {.soft_ms = 1000, .hard_ms = 3000};
  ThinkingTime time(options, limits);
  time.Finished(kSafe, -100);
  EXPECT_EQ(time.SoftMs(), 1000) << "there is no iteration before";
  time.Finished(kSafe, -129);
  EXPECT_EQ(time.SoftMs(), 1000);
  time.Finished(kSafe, -159);
  EXPECT_EQ(time.SoftMs(), 2000);
  time.Finished(kSafe, -189);
  EXPECT_EQ(time.SoftMs(), 2000) << "though four agree";
  time.Finished(kSafe, -100);
  EXPECT_EQ(time.SoftMs(), 400) << "it has risen";
}

TEST(ThinkingTime, NeverPassesTheHardLimit) {
  const SearchOptions options = {.score_drop = 1};
  const SearchLimits limits = {.soft_ms = 1000, .hard_ms = 1500};
  ThinkingTime time(options, limits);
  time.Finished(kSafe, 0);
  time.Finished(kSafe, -1);
  EXPECT_EQ(time.SoftMs(), 1500);
}

// C. Ye: ten root moves more, a tenth of a pawn, five minutes.
constexpr SearchOptions kOfYe = {.score_drop = 10, .score_drop_moves = 10};

TEST(ThinkingTime, EndsWithTheRunningMoveOnceItIsUsedUp) {
  const SearchLimits limits = {.soft_ms = 1000, .clock_ms = 600'000};
  ThinkingTime time(kOfYe, limits);
  EXPECT_FALSE(time.EndsAfterMove(5000, 0)) << "no iteration has finished";
  time.Finished(kSafe, 100);
  EXPECT_FALSE(time.EndsAfterMove(999, 100));
  EXPECT_TRUE(time.EndsAfterMove(1000, 100));
  EXPECT_TRUE(time.EndsAfterMove(1000, 90)) << "as much as is tolerated";
  EXPECT_FALSE(time.EndsAfterMove(1000, 89)) << "the score has fallen";
  EXPECT_TRUE(time.EndsAfterMove(1001, 95)) << "a better move was found";
  time.Finished(kSafe, 0);
  EXPECT_EQ(time.SoftMs(), 1000) << "it is not doubled besides";
}

TEST(ThinkingTime, HasSoManyRootMovesMoreInAsMuchTimeAgain) {
  const SearchLimits limits = {.soft_ms = 1000, .clock_ms = 600'000};
  ThinkingTime by_moves(kOfYe, limits);
  by_moves.Finished(kSafe, 100);
  EXPECT_FALSE(by_moves.EndsAfterMove(1200, 0)) << "the alarm";
  for (int further = 1; further < 10; ++further) {
    EXPECT_FALSE(by_moves.EndsAfterMove(1200 + further, 0)) << further;
  }
  EXPECT_TRUE(by_moves.EndsAfterMove(1210, 0));
  ThinkingTime by_time(kOfYe, limits);
  by_time.Finished(kSafe, 100);
  EXPECT_FALSE(by_time.EndsAfterMove(1200, 0));
  EXPECT_FALSE(by_time.EndsAfterMove(2399, 0));
  EXPECT_TRUE(by_time.EndsAfterMove(2400, 0)) << "the second alarm";
}

TEST(ThinkingTime, HasNoMoreInTroubleAndToleratesMoreLater) {
  const auto ends = [](const SearchOptions& options, const SearchLimits& limits, Value best) {
    ThinkingTime time(options, limits);
    time.Finished(kSafe, 100);
    return time.EndsAfterMove(1000, best);
  };
  EXPECT_FALSE(ends(kOfYe, {.soft_ms = 1000, .clock_ms = 300'000}, 0));
  EXPECT_TRUE(ends(kOfYe, {.soft_ms = 1000, .clock_ms = 299'999}, 0)) << "trouble";
  SearchOptions growing = kOfYe;
  growing.score_drop_growth = 20;
  growing.score_drop_trouble = 0;
  EXPECT_TRUE(ends(growing, {.soft_ms = 1000, .plies_before = 50}, 80));
  EXPECT_FALSE(ends(growing, {.soft_ms = 1000, .plies_before = 50}, 79));
  EXPECT_FALSE(ends(growing, {.soft_ms = 1000, .plies_before = 49}, 80)) << "an earlier move";
}

// In the second iteration the first move takes longer than there is time. The others have a second
// ply then alone.
TEST(ThinkingTime, EndsAnIterationAfterARootMove) {
  Tree tree;
  tree.nodes["root"].children = {"slow", "b", "c", "d", "e", "f"};
  const auto searched = [&](Value deeper, int64_t soft_ms) {
    AddLine(tree, "slow", {100, deeper});
    tree.nodes["slow'"].slow_ms = 30;
    for (const char* move : {"b", "c", "d", "e", "f"}) AddLine(tree, move, {-100, -100});
    SearchOptions options = kBare;
    options.score_drop = 10;
    options.score_drop_moves = 2;
    options.score_drop_trouble = 0;
    SearchLimits limits;
    limits.depth = 2;
    limits.soft_ms = soft_ms;
    tree.visits.clear();
    EXPECT_EQ(Searcher(options).Run(tree, limits).best, TreeGame::Nth(0));
    int others = 0;
    for (const char* move : {"b'", "c'", "d'", "e'", "f'"}) {
      others += std::count(tree.visits.begin(), tree.visits.end(), move) > 0 ? 1 : 0;
    }
    return others;
  };
  constexpr int64_t kHour = 3'600'000;
  EXPECT_EQ(searched(100, kHour), 5);
  EXPECT_EQ(searched(0, kHour), 5);
  EXPECT_EQ(searched(100, 20), 0) << "the score is what it was";
  EXPECT_LE(searched(0, 20), 3) << "the alarm, and two more";
}

// A hundredth of less than 100 ms is none: the fourth iteration is the last.
TEST(ThinkingTime, EndsTheSearch) {
  Tree tree;
  tree.nodes["root"].children = {"good", "bad"};  // a single move would be played at once
  AddLine(tree, "good", {0});
  AddLine(tree, "bad", {-100});
  SearchLimits limits;
  limits.depth = 40;
  limits.soft_ms = 99;
  SearchOptions options = kBare;
  options.stable_move = 1;
  EXPECT_LE(Searcher(options).Run(tree, limits).depth, 4);
  options.stable_move = 0;
  limits.soft_ms = int64_t{3600} * 1000;
  EXPECT_EQ(Searcher(options).Run(tree, limits).depth, 40);
}

// The second side's only move costs it 100; after a pass it would be 20 up.
Tree Passing() {
  Tree tree;
  tree.nodes["root"].children = {"node"};
  tree.nodes["node"] = {.children = {"move"}, .after_pass = "pass"};
  AddLine(tree, "move", {100});
  AddLine(tree, "pass", {-20});
  return tree;
}

// The second side's `move` is better than a pass for as long as it is not searched two plies deep.
TEST(NullQuiescence, SearchesTheKnownMoveBeforeThePassWhereItIsAskedTo) {
  SearchOptions options = kBare;
  options.null_quiescence = 2;
  options.null_quiescence_schedule = 1;
  const auto search = [&](int move_first, Value deeper, bool alone) {
    options.null_quiescence_move_first = move_first;
    Tree tree = Passing();
    AddLine(tree, "move", {-50, deeper});
    if (!alone) {
      tree.nodes["node"].children.push_back("other");
      AddLine(tree, "other", {0});
    }
    const Value value = Searched(tree, 2, options).value;
    const auto second = std::find(std::find(tree.visits.begin(), tree.visits.end(), "node") + 1,
                                  tree.visits.end(), "node");
    return std::make_pair(value, second[1]);
  };
  for (const bool alone : {false, true}) {
    EXPECT_EQ(search(0, -50, alone), std::make_pair(Value{-50}, std::string("pass"))) << alone;
    EXPECT_EQ(search(1, -50, alone), std::make_pair(Value{-50}, std::string("move"))) << alone;
    EXPECT_EQ(search(0, 10, alone), std::make_pair(Value{-20}, std::string("pass"))) << alone;
    EXPECT_EQ(search(1, 10, alone), std::make_pair(Value{-20}, std::string("move"))) << alone;
  }
}

TEST(NullMoveOfYe, IsALowerBoundForTheMoves) {
  SearchOptions options = kBare;
  for (const int form : {2, 3}) {
    options.null_move = form;
    EXPECT_EQ(Searched(Passing(), 4, options).value, -20) << form;
  }
  options.null_move = 1;
  EXPECT_EQ(Searched(Passing(), 4, options).value, 100) << "the modern one cuts or says nothing";
  // A move that is better than passing counts as ever.
  Tree tree = Passing();
  tree.nodes["move"].value = -30;
  options.null_move = 2;
  EXPECT_EQ(Searched(tree, 4, options).value, -30);
}

TEST(NullMoveOfYe, IsTriedAtTheFrontierByItsThirdFormAlone) {
  SearchOptions options = kBare;
  options.null_move = 2;
  EXPECT_EQ(Searched(Passing(), 2, options).value, 100);
  EXPECT_EQ(Searched(Passing(), 3, options).value, -20);
  options.null_move = 3;
  EXPECT_EQ(Searched(Passing(), 2, options).value, -20);
}

TEST(NullMoveOfYe, IsNotTriedWhereTheGameSaysThatAPassTellsNothing) {
  Tree tree = Passing();
  tree.nodes["node"].may_pass = false;
  SearchOptions options = kBare;
  for (const int form : {2, 3}) {
    options.null_move = form;
    EXPECT_EQ(Searched(tree, 4, options).value, 100) << form;
  }
}

// "slow" and "fast" are mated; in "fast", sooner, the side to move would be safe if it could pass.
// By the null move it is, also where the window lies among the mates.
TEST(NullMoveOfYe, CutsWhereItIsBetterThanToBeMated) {
  Tree tree;
  tree.nodes["root"].children = {"slow", "fast"};
  AddLine(tree, "slow", {0, 0, 0, 0, 0});
  AddLine(tree, "fast", {0, 0, 0});
  for (auto& [name, node] : tree.nodes) node.may_pass = name == "fast";
  tree.nodes["slow''''"].mated = true;
  tree.nodes["fast''"].mated = true;
  tree.nodes["fast"].after_pass = "calm";
  AddLine(tree, "calm", {0});
  // How often its move is tried; the sixth iteration is the first that sees a mate.
  const auto tried = [&](int depth, const SearchOptions& options) {
    tree.visits.clear();
    Searched(tree, depth, options);
    return std::count(tree.visits.begin(), tree.visits.end(), "fast'");
  };
  SearchOptions options = kBare;
  EXPECT_EQ(Searched(tree, 6, options).value, MateIn(3));
  for (const int form : {2, 3}) {
    options.null_move = form;
    EXPECT_EQ(Searched(tree, 6, options).value, MateIn(5)) << form;
    EXPECT_EQ(tried(6, options), tried(5, options)) << form;
  }
}

// The brother's refutation works here too. Its category is so unlikely, however, that it is
// searched one ply less, where nothing shows yet.
TEST(Killers, AreNotReducedByTheRealisationProbability) {
  Tree tree;
  tree.nodes["root"].children = {"brother", "node"};
  tree.nodes["brother"].children = {"a", "b"};
  AddLine(tree, "a", {250});
  AddLine(tree, "b", {50});
  tree.nodes["node"] = {.children = {"c", "d"}, .costs = {{1, 3 * kPly}}};
  AddLine(tree, "c", {200});
  AddLine(tree, "d", {200, 200, 0});
  SearchOptions options = kBare;
  options.realization = 1;
  options.killer_brother = 1;
  options.killer_main = 0;  // the order stays
  EXPECT_EQ(Searched(tree, 4, options).best, TreeGame::Nth(1));
  options.killer_unreduced = 1;
  EXPECT_EQ(Searched(tree, 4, options).best, TreeGame::Nth(0));
}

// Moves that the search plays at a node after its last pass there.
std::vector<std::string> TriedAfterThePass(const Tree& tree, const std::string& node) {
  const auto pass = std::find(tree.visits.rbegin(), tree.visits.rend(), tree.At(node).after_pass);
  const std::vector<std::string>& moves = tree.At(node).children;
  std::vector<std::string> tried;
  for (auto visit = pass.base(); visit != tree.visits.end(); ++visit) {
    if (std::find(moves.begin(), moves.end(), *visit) != moves.end() &&
        std::find(tried.begin(), tried.end(), *visit) == tried.end()) {
      tried.push_back(*visit);
    }
  }
  return tried;
}

// The node stands too badly for a null move, which would not cut.
TEST(RegretMoves, OfYssComeFromAPassAtEveryInnerNode) {
  Tree tree;
  tree.nodes["root"].children = {"safe", "node"};
  AddLine(tree, "safe", {50});
  tree.nodes["node"] = {
      .value = 300, .children = {"slow", "parry"}, .after_pass = "pass", .meets = {{1, 1}}};
  AddLine(tree, "slow", {0});
  AddLine(tree, "parry", {0});
  tree.nodes["pass"] = {.value = 300, .children = {"quiet", "threat"}};
  AddLine(tree, "quiet", {0});
  AddLine(tree, "threat", {300});
  SearchOptions options = kBare;
  options.order_table = 0;
  options.null_move = 1;
  options.regret_moves = 1;
  Searched(tree, 4, options);
  EXPECT_EQ(std::count(tree.visits.begin(), tree.visits.end(), "pass"), 0);
  options.regret_moves = 2;
  Searched(tree, 4, options);
  EXPECT_EQ(TriedAfterThePass(tree, "node"), (std::vector<std::string>{"parry"}));
}

TEST(RegretMoves, OfYssPassNearTheLeavesToo) {
  Tree tree = Passing();
  AddLine(tree, "pass", {-20, -20});
  tree.nodes["root"].may_pass = false;
  SearchOptions options = kBare;
  const auto passes = [&](int depth) {
    tree.visits.clear();
    Searched(tree, depth, options);
    return std::count(tree.visits.begin(), tree.visits.end(), "pass");
  };
  options.regret_moves = 2;
  EXPECT_EQ(passes(3), 0) << "the node has two plies left";
  EXPECT_EQ(passes(4), 1);
  options.regret_moves = 3;
  EXPECT_EQ(passes(2), 1);
  EXPECT_EQ(passes(4), 3);
}

// In the principal variation the line after a pass is known to its end: "line", our answer
// "answer", and the third move of "later". Our move is tried first, then what meets that.
TEST(RegretMoves, OfYssWalkAlongTheLine) {
  Tree tree;
  tree.nodes["root"].children = {"node"};
  tree.nodes["node"] = {
      .children = {"slow", "own", "parry"}, .after_pass = "pass", .meets = {{2, 2}}};
  for (const char* move : {"slow", "own", "parry"}) AddLine(tree, move, {0});
  tree.nodes["pass"].children = {"quiet", "line"};
  AddLine(tree, "quiet", {-300});
  tree.nodes["line"].children = {"worse", "answer"};
  AddLine(tree, "worse", {500});
  tree.nodes["answer"].children = {"a", "b", "later"};
  for (const char* move : {"a", "b"}) AddLine(tree, move, {0});
  AddLine(tree, "later", {200});
  SearchOptions options = kBare;
  options.order_table = 0;
  options.regret_moves = 2;
  Searched(tree, 6, options);
  EXPECT_EQ(TriedAfterThePass(tree, "node"), (std::vector<std::string>{"own", "parry", "slow"}));
}

// After a pass of the first side the line is "line", "answer", "later" and "end". Our moves in it
// come behind the move that leads, though the last one is eight plies off; then what meets the
// other side's, the third one of "answer" among them.
TEST(RegretMoves, OfYssAreOfTheWholeLineAtTheRoot) {
  Tree tree;
  tree.nodes["root"] = {.children = {"leads", "slow", "parry", "second", "own"},
                        .after_pass = "pass",
                        .meets = {{2, 2}}};
  for (const char* move : {"slow", "parry", "second", "own"}) AddLine(tree, move, {-10});
  AddLine(tree, "leads", {0});
  tree.nodes["pass"].children = {"quiet", "line"};
  AddLine(tree, "quiet", {200});
  tree.nodes["line"].children = {"a", "b", "c", "d", "answer"};
  tree.nodes["answer"].children = {"e", "f", "later"};
  for (const char* move : {"a", "b", "c", "d"}) AddLine(tree, move, {-300});
  for (const char* move : {"e", "f"}) AddLine(tree, move, {200});
  tree.nodes["later"].children = {"g", "h", "i", "end"};
  for (const char* move : {"g", "h", "i"}) AddLine(tree, move, {-300});
  AddLine(tree, "end", {-100});
  SearchOptions options = kBare;
  const auto order = [&](int form, int depth) {
    options.regret_moves = form;
    Searched(tree, depth, options);
    return TriedAfterThePass(tree, "root");
  };
  EXPECT_EQ(order(2, 7), (std::vector<std::string>{"leads", "own", "second", "parry", "slow"}));
  EXPECT_EQ(order(2, 4), (std::vector<std::string>{"leads", "own", "slow", "parry", "second"}))
      << "two plies of the line are seen";
  tree.visits.clear();
  order(1, 7);
  EXPECT_EQ(std::count(tree.visits.begin(), tree.visits.end(), "pass"), 0);
}

// The other answer is looked at for the first time with four plies left, and has but one move a
// ply.
TEST(InternalDeepening, IsOneSearchOrOneOfEachDepth) {
  const Tree tree = SeemsRefuted(200, {0});
  SearchOptions options = kBare;
  const auto nodes = [&](int form) {
    options.iid_form = form;
    return Searched(tree, 6, options).nodes;
  };
  const uint64_t none = nodes(0);
  options.iid = 4;
  EXPECT_EQ(nodes(0), none + 2);
  EXPECT_EQ(nodes(1), none + 1 + 2 + 3);
  EXPECT_EQ(nodes(2), none) << "it is not in the principal variation";
}

// Both moves look equal at depth one; deeper the second is better.
TEST(TwoTables, TheRootRemembersTheMoveOfTheSearchBefore) {
  Tree tree;
  tree.nodes["root"].children = {"plain", "better"};
  AddLine(tree, "plain", {0});
  AddLine(tree, "better", {0, 0, 100});
  SearchOptions options = kBare;
  options.two_tables = 1;
  options.two_tables_plies = 1;  // no deeper
  Searcher searcher(options);
  EXPECT_EQ(searcher.Run(tree, 3).best, TreeGame::Nth(1));
  EXPECT_EQ(searcher.Run(tree, 1).best, TreeGame::Nth(1));
  EXPECT_EQ(searcher.Run(tree, 1).best, TreeGame::Nth(1)) << "it was the move of that search too";
  EXPECT_EQ(Searcher(options).Run(tree, 1).best, TreeGame::Nth(0));
}

// The first search knows what the other side does after a pass; the second goes less deep there.
TEST(TwoTables, AThreatIsRememberedFromTheSearchBefore) {
  Tree tree;
  tree.nodes["root"].children = {"safe", "node"};
  AddLine(tree, "safe", {50});
  // Another window for the node, which its old entry does not serve.
  tree.nodes["other root"].children = {"loss", "node"};
  AddLine(tree, "loss", {-100});
  tree.nodes["node"] = {
      .value = -150, .children = {"slow", "parry"}, .after_pass = "pass", .meets = {{1, 1}}};
  AddLine(tree, "slow", {-200, -200, -200, 0});
  AddLine(tree, "parry", {-200, -200, -200, 0});
  tree.nodes["pass"] = {.value = 0, .children = {"quiet", "threat"}};
  AddLine(tree, "quiet", {-150});
  AddLine(tree, "threat", {300});
  SearchOptions options = kBare;
  options.order_table = 0;
  options.null_move = 1;
  options.null_move_base = 3;
  options.regret_moves = 1;
  for (const int two : {0, 1}) {
    options.two_tables = two;
    options.table_forgets = 1 - two;
    Searcher searcher(options);
    searcher.Run(tree, 5);
    searcher.Run(tree, 4, "other root");
    const std::vector<std::string> tried = TriedAfterThePass(tree, "node");
    ASSERT_FALSE(tried.empty());
    EXPECT_EQ(tried.front(), two == 1 ? "parry" : "slow");
  }
}

// Two answers to the root; what is best after the second shows three plies deep. The first search
// knows it, the search of the first answer does not.
TEST(TwoTables, AnAnswerThatIsPonderedOnLeavesTheParentsTable) {
  Tree tree;
  tree.nodes["root"].children = {"one", "two"};
  AddLine(tree, "one", {-50});
  tree.nodes["two"].children = {"plain", "better"};
  AddLine(tree, "plain", {0});
  AddLine(tree, "better", {0, 0, -100});
  SearchOptions options = kBare;
  options.two_tables = 1;
  const auto best = [&](int beside) {
    options.two_tables_ponder = beside;
    Searcher searcher(options);
    searcher.Run(tree, 4);
    SearchLimits guess;
    guess.depth = 2;
    guess.ponder = true;
    searcher.Run(tree, guess, "one", Color::kSecond);
    return searcher.Run(tree, 1, "two", Color::kSecond).best;
  };
  EXPECT_EQ(best(1), TreeGame::Nth(1)) << "remembered from two searches before";
  EXPECT_EQ(best(0), TreeGame::Nth(0)) << "forgotten";
}

TEST(TwoTables, TheAnswerThatWasGuessedGoesOn) {
  Tree tree;
  tree.nodes["one"].children = {"plain", "better"};
  AddLine(tree, "plain", {0});
  AddLine(tree, "better", {0, 0, -100});
  SearchOptions options = kBare;
  options.two_tables = 1;
  options.two_tables_ponder = 1;
  options.two_tables_plies = 1;  // below the root the current table alone
  const auto nodes = [&](bool ponder) {
    Searcher searcher(options);
    SearchLimits limits;
    limits.depth = 5;
    limits.ponder = ponder;
    searcher.Run(tree, limits, "one", Color::kSecond);
    limits.ponder = false;
    return searcher.Run(tree, limits, "one", Color::kSecond).nodes;
  };
  EXPECT_LT(nodes(true), nodes(false));
}

// The second side's first answer is Nth(0) everywhere. In "p" the first side's second move is best.
TEST(Killers, TellAMoveThatPromotesFromOneThatDoesNot) {
  SearchOptions options = kBare;
  options.killer_premove = 1;
  options.killer_first = 1;
  const auto tried = [&](int by_promotion, bool left, bool right) {
    Tree tree;
    tree.nodes["root"].children = {"other", "left", "right"};
    AddLine(tree, "other", {10});
    tree.nodes["left"].children = {"p"};
    tree.nodes["right"].children = {"q"};
    if (left) tree.nodes["left"].promotions = {0};
    if (right) tree.nodes["right"].promotions = {0};
    tree.nodes["p"].children = {"p0", "p1"};
    tree.nodes["q"].children = {"q0", "q1"};
    AddLine(tree, "p0", {0});
    for (const char* move : {"p1", "q0", "q1"}) AddLine(tree, move, {50});
    options.killer_promotion = by_promotion;
    Searched(tree, 3, options);
    return TriedOf(tree, "q").front();
  };
  EXPECT_EQ(tried(0, false, true), "q1") << "the same move";
  EXPECT_EQ(tried(1, false, true), "q0");
  EXPECT_EQ(tried(1, true, true), "q1");
  EXPECT_EQ(tried(1, false, false), "q1");
}

// The third answer refutes the first move, after two that do not; so it does the second.
TEST(OrderButterflies, OrdersByWhatRefutedOfWhatWasTried) {
  Tree tree;
  tree.nodes["root"].children = {"safe", "first", "second"};
  AddLine(tree, "safe", {50});
  for (const std::string node : {"first", "second"}) {
    tree.nodes[node].children = {node + "0", node + "1", node + "2"};
    AddLine(tree, node + "0", {100});
    AddLine(tree, node + "1", {100});
    AddLine(tree, node + "2", {0});
  }
  SearchOptions options = kBare;
  const auto tried = [&](int butterflies) {
    tree.visits.clear();
    options.order_butterflies = butterflies;
    Searched(tree, 2, options);
    return TriedOf(tree, "second").front();
  };
  EXPECT_EQ(tried(0), "second0");
  EXPECT_EQ(tried(1), "second2");
}

// The second answer has refuted one move of the root and failed against another, the third has
// refuted the one against which it was tried.
TEST(OrderButterflies, CountsWhatWasTriedInVain) {
  Tree tree;
  tree.nodes["root"].children = {"safe", "a", "b", "c"};
  AddLine(tree, "safe", {50});
  const auto node = [&](const std::string& name, int refuting) {
    for (int i = 0; i < 3; ++i) {
      const std::string answer = name + std::to_string(i);
      tree.nodes[name].children.push_back(answer);
      AddLine(tree, answer, {i == refuting ? 0 : 100});
    }
  };
  node("a", 1);
  node("b", 2);
  node("c", 2);
  SearchOptions options = kBare;
  options.order_butterflies = 1;
  Searched(tree, 2, options);
  EXPECT_EQ(TriedOf(tree, "b").front(), "b1");
  EXPECT_EQ(TriedOf(tree, "c").front(), "c2");
}

TEST(Butterflies, AreARelativeHistory) {
  Butterflies boards(3);
  EXPECT_EQ(boards.Of(1), 0) << "never tried";
  boards.Tried(1, 4, true);
  EXPECT_EQ(boards.Of(1), Butterflies::kMost);
  boards.Tried(1, 12, false);
  EXPECT_EQ(boards.Of(1), Butterflies::kMost / 4);
  for (int i = 0; i < 9; ++i) boards.Tried(2, 1, true);
  for (int i = 0; i < 27; ++i) boards.Tried(2, 1, false);
  EXPECT_EQ(boards.Of(2), boards.Of(1)) << "no better for being common";
  boards.Clear();
  EXPECT_EQ(boards.Of(2), 0);
}

// One ply of the main search. Below it the children's evaluations are not asked for by
// NullQuiescenceMaterial: the dear evaluation of the leaf is carried down, and material alone,
// which is even here, changes it.
TEST(NullQuiescence, ADearEvaluationCanBeAskedAtTheLeavesOfTheMainSearchAlone) {
  Tree tree;
  tree.nodes["root"].children = {"leaf"};
  tree.nodes["leaf"] = {.value = 40, .children = {"below"}, .may_pass = false};
  AddLine(tree, "below", {-70});
  SearchOptions options = kBare;
  options.null_quiescence = 1;
  EXPECT_EQ(Searched(tree, 2, options).value, -70) << "a move of the second side that gains";
  options.null_quiescence_material = 1;
  EXPECT_EQ(Searched(tree, 2, options).value, 40);
}

TEST(Leaves, AreCountedByPliesFromTheRoot) {
  Tree tree;
  tree.nodes["root"].children = {"line"};
  AddLine(tree, "line", {0});
  Search<TreeGame> search(size_t{1} << 16);
  search.SetOptions(kBare);
  SearchLimits limits;
  limits.depth = 3;
  search.Run({.tree = &tree, .node = "root"}, limits);
  const auto leaves = search.counts().leaves();
  EXPECT_EQ(std::vector<uint64_t>(leaves.begin(), leaves.begin() + 5),
            (std::vector<uint64_t>{0, 1, 1, 1, 0}));
  search.NewGame();
  EXPECT_EQ(search.counts().leaves()[3], 0u);
}

// The only line is searched to depths 1, 2, 3 and 4. Each of its nodes but the last comes twice
// within two plies of the leaves.
TEST(MateSearches, ArePaidOnceForAPosition) {
  Tree tree;
  tree.nodes["root"].children = {"line"};
  AddLine(tree, "line", {0});
  SearchOptions options = kBare;
  EXPECT_EQ(Searched(tree, 4, options).nodes, 1u + 2 + 3 + 4);
  options.mate_nodes = 7;
  EXPECT_EQ(Searched(tree, 4, options).nodes, 1u + 2 + 3 + 4 + 3 * 7);
}

// With 7 nodes for each ply left the first node has 7, 14 and 21, the second 7 and 14, the third 7.
TEST(MateSearches, HaveNodesByThePliesLeft) {
  Tree tree;
  tree.nodes["root"].children = {"line"};
  AddLine(tree, "line", {0});
  SearchOptions options = kBare;
  options.mate_nodes_by_depth = 1;
  EXPECT_EQ(Searched(tree, 4, options).nodes, 1u + 2 + 3 + 4);
  options.mate_nodes = 7;
  EXPECT_EQ(Searched(tree, 4, options).nodes, 1u + 2 + 3 + 4 + 7 + 14 + 21 + 7 + 14 + 7);
}

TEST(MateVerdicts, KnowWhatASearchOfNoMoreNodesWouldSay) {
  MateVerdicts verdicts;
  const Key open = {.hi = 1, .lo = 1};
  const Key mate = {.hi = 2, .lo = 2};
  MateProbe probe;
  EXPECT_FALSE(verdicts.Find(open, 1, probe));
  verdicts.Keep(open, 30, {.move = Move(), .plies = 0, .nodes = 30});
  EXPECT_TRUE(verdicts.Find(open, 30, probe));
  EXPECT_FALSE(probe.move);
  EXPECT_EQ(probe.nodes, 0u);
  EXPECT_FALSE(verdicts.Find(open, 31, probe)) << "more nodes may find more";
  EXPECT_FALSE(verdicts.Find({.hi = 3, .lo = 1}, 30, probe)) << "another position";
  verdicts.Keep(mate, 30, {.move = Move(5), .plies = 3, .nodes = 12});
  EXPECT_TRUE(verdicts.Find(mate, 1000, probe));
  EXPECT_EQ(probe.move, Move(5));
  EXPECT_EQ(probe.plies, 3);
  EXPECT_EQ(probe.nodes, 0u);
  verdicts.Clear();
  EXPECT_FALSE(verdicts.Find(mate, 1, probe));
}

// Knows two moves of the root, the second of which is none.
struct LastMove : AlikeMoves<TreeGame> {
  size_t At(const TreeGame::Position& position, std::span<Move> moves) const override {
    if (position.node != "root") return 0;
    moves[0] = TreeGame::Nth(2);
    moves[1] = TreeGame::Nth(9);
    return 2;
  }
};

TEST(PartialBook, OrdersTheMovesOfTheRootToo) {
  Tree tree;
  tree.nodes["root"].children = {"a", "b", "c"};
  for (const char* move : {"a", "b", "c"}) AddLine(tree, move, {0});
  Search<TreeGame> search(size_t{1} << 16);
  search.SetOptions(kBare);
  SearchLimits limits;
  limits.depth = 1;
  const LastMove alike;
  const auto best = [&] {
    search.NewGame();
    return search.Run({.tree = &tree, .node = "root"}, limits).best;
  };
  EXPECT_EQ(best(), TreeGame::Nth(0)) << "the first of equal ones";
  search.SetAlike(&alike);
  EXPECT_EQ(best(), TreeGame::Nth(2));
  tree.nodes["a"].value = 1;
  EXPECT_EQ(best(), TreeGame::Nth(0)) << "none is played unseen";
}

TEST(FirstPlyBonus, ChoosesTheMoveAndStaysOutOfTheTable) {
  Tree tree;
  tree.nodes["root"] = {.children = {"a", "b"}, .first_bonuses = {{1, 200}}};
  AddLine(tree, "a", {0});
  AddLine(tree, "b", {0});
  // The second side's choice: 50 down, or the position that was the root above.
  tree.nodes["before"].children = {"down", "root"};
  AddLine(tree, "down", {50});
  Searcher searcher(kBare);
  const SearchResult first = searcher.Run(tree, 3);
  EXPECT_EQ(first.best, TreeGame::Nth(1));
  EXPECT_EQ(first.value, 200);
  const SearchResult second = searcher.Run(tree, 2, "before", Color::kSecond);
  EXPECT_EQ(second.best, TreeGame::Nth(1));
  EXPECT_EQ(second.value, 0);
}

}  // namespace
}  // namespace joseki
