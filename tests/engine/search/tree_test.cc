// Techniques of the papers on trees that are small enough to know the answer.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/search/papers/butterflies.h"
#include "engine/search/papers/mate_verdicts.h"
#include "gtest/gtest.h"
#include "tests/engine/search/tree_searcher.h"

namespace joseki {
namespace {

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
  // Number of times that its move is tried; the sixth iteration is the first that sees a mate.
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
// come right after the move that leads, though the last one is eight plies off. Moves that meet the
// other side's come next, among them the third one of "answer".
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

// The moves look equal at depth one; at greater depth the second is better.
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

// One ply of the main search. NullQuiescenceMaterial does not ask for the children's evaluations
// below it. The expensive evaluation of the leaf is carried down, and material alone, which is even
// here, changes it.
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
