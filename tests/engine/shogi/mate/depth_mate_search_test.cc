#include "engine/shogi/mate/depth_mate_search.h"

#include <atomic>
#include <cstdlib>
#include <string>

#include "base/rng.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/engine/shogi/mate/brute_mate.h"
#include "tests/support/data.h"
#include "tests/support/shogi_game.h"
#include "tests/support/tsv.h"

namespace joseki::shogi {
namespace {

constexpr size_t kTable = size_t{1} << 20;

TEST(DepthMateSearch, FindsTheShortestMateAndItsLine) {
  DepthMateSearch search(kTable);
  int cases = 0;
  for (const auto& row : testing::ReadTsv(testing::TestData("mates.tsv"))) {
    if (row.size() != 2) continue;
    ++cases;
    const int plies = std::stoi(row[0]);
    Position position = At(row[1]);
    const MateResult result = search.Solve(position, 7, 0, {});
    ASSERT_EQ(result.verdict, MateVerdict::kMate) << row[1];
    EXPECT_EQ(static_cast<int>(result.line.size()), plies) << row[1];
    for (const Move move : result.line) {
      ASSERT_TRUE(position.IsLegal(move)) << row[1];
      Undo undo;
      position.Do(move, undo);
    }
    EXPECT_TRUE(position.InCheck() && !position.HasLegalMove()) << row[1];
    EXPECT_EQ(search.Solve(At(row[1]), plies - 2, 0, {}).verdict, MateVerdict::kUnknown) << row[1];
  }
  EXPECT_GT(cases, 10);
}

TEST(DepthMateSearch, AgreesWithTryingEverything) {
  DepthMateSearch search(kTable);
  Rng rng(5);
  int mates = 0;
  int others = 0;
  for (int i = 0; i < 400; ++i) {
    Position position = RandomAttack(rng, 2);
    int64_t budget = 20000;
    const bool within = MatesWithin(position, 5, budget);
    if (budget <= 0) continue;
    const Key before = position.key();
    const MateProbe probe = search.Find(position, 5, 0, {});
    EXPECT_EQ(position.key(), before);
    EXPECT_EQ(probe.plies > 0, within) << ToSfen(position, 1);
    ++(within ? mates : others);
  }
  EXPECT_GT(mates, 20);
  EXPECT_GT(others, 20);
}

TEST(DepthMateSearch, KeepsToItsNodes) {
  DepthMateSearch search(kTable);
  Position position = At("4k4/9/4P4/9/9/9/9/9/4K4 b GR 1");
  for (const uint64_t nodes : {1, 2, 5, 9}) {
    EXPECT_LE(search.Find(position, 9, 0, {.nodes = nodes}).nodes, nodes);
  }
}

TEST(DepthMateSearch, StopsWhenItIsTold) {
  DepthMateSearch search(kTable);
  Position position = At("4k4/9/9/9/9/9/9/9/4K4 b RB2N 1");
  const MateLimits limits{.nodes = 50'000};
  ASSERT_EQ(search.Find(position, 31, 0, limits).nodes, limits.nodes) << "too easy for this test";
  const std::atomic<bool> stop = true;
  EXPECT_LE(DepthMateSearch(kTable).Find(position, 31, 0, limits, &stop).nodes, 1024u);
}

// Each cut makes the search smaller somewhere, and none makes it larger in sum.
TEST(DepthMateSearch, CutsLeaveSomethingOut) {
  DepthMateSearch search(kTable);
  auto nodes = [&](unsigned cuts) {
    Rng rng(3);
    uint64_t sum = 0;
    for (int i = 0; i < 150; ++i) {
      Position position = RandomAttack(rng);
      sum += search.Find(position, 5, cuts, {.nodes = 20000}).nodes;
    }
    return sum;
  };
  const uint64_t all = nodes(0);
  for (unsigned cut = 1; cut < 32; cut *= 2) EXPECT_NE(nodes(cut), all) << cut;
  EXPECT_LT(nodes(31), all);
}

TEST(DepthMateSearch, ARookIsNotDroppedFromAfarWhereThatIsCut) {
  DepthMateSearch search(kTable);
  // Rook drops at R*9f or nearer mate, and so do those from afar. On the rank only squares five and
  // more away are out of the white king's reach.
  Position position = At("8k/9/8K/9/9/9/9/9/9 b R 1");
  const MateProbe any = search.Find(position, 1, 0, {});
  ASSERT_EQ(any.plies, 1);
  const MateProbe near = search.Find(position, 1, kDropsFromAfar, {});
  ASSERT_EQ(near.plies, 1);
  EXPECT_LT(std::abs(FileOf(near.move.to()) - 1), 5);
}

// Mates that are claimed with any set of cuts are mates where a line is asked for.
TEST(DepthMateSearch, NoMateIsClaimedThatIsNone) {
  DepthMateSearch search(kTable);
  Rng rng(9);
  int claimed = 0;
  for (int i = 0; i < 300; ++i) {
    Position position = RandomAttack(rng, 2);
    const unsigned cuts = 1 + static_cast<unsigned>(rng.Below(31));
    const MateResult result = search.Solve(position, 5, cuts, {.nodes = 5000});
    if (result.verdict != MateVerdict::kMate) continue;
    ++claimed;
    int64_t budget = 200000;
    const bool mates = MatesWithin(position, static_cast<int>(result.line.size()), budget);
    EXPECT_TRUE(mates || budget <= 0) << ToSfen(position, 1);
  }
  EXPECT_GT(claimed, 20);
}

}  // namespace
}  // namespace joseki::shogi
