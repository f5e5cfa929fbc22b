// When a search ends by itself: the rules of time, and their effect on a tree.
#include "engine/search/thinking_time.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/engine/search/tree_searcher.h"

namespace joseki {
namespace {

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

}  // namespace
}  // namespace joseki
