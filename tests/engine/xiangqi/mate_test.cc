#include <atomic>

#include "engine/xiangqi/mate/mate_finder.h"
#include "engine/xiangqi/mate/mate_in_one.h"
#include "engine/xiangqi/mate/mate_solver.h"
#include "gtest/gtest.h"
#include "tests/engine/xiangqi/mates_file.h"
#include "tests/support/brute_xiangqi.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

bool Mates(const Position& position, Move move) {
  Position after = position;
  Undo undo;
  after.Do(move, undo);
  return after.InCheck() && BruteXiangqi(after).LegalMoves().empty();
}

TEST(XiangqiMateInOne, EqualsTryingEveryMove) {
  int mates = 0;
  for (Position position : SamplePositions(51, 30, 1)) {
    MoveList moves;
    position.Generate<GenType::kAll>(moves);
    const bool exists =
        std::any_of(moves.begin(), moves.end(), [&](Move m) { return Mates(position, m); });
    const Key before = position.key();
    const Move found = MateInOne(position);
    ASSERT_EQ(position.key(), before);
    ASSERT_EQ(static_cast<bool>(found), exists) << ToFen(position, 1);
    if (!found) continue;
    ++mates;
    EXPECT_TRUE(Mates(position, found)) << ToFen(position, 1);
  }
  EXPECT_GT(mates, 10);
}

TEST(XiangqiMateFinder, FindsKnownMates) {
  const auto path = testing::SharedData("tsume/xiangqi_mates.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  constexpr uint64_t kNodes = 200'000;
  MateFinder finder;
  int found = 0;
  int proven = 0;
  const std::vector<KnownMate> mates = KnownMates(path, 5, 4);
  for (const KnownMate& mate : mates) {
    Position position = At(mate.fen);
    const MateProbe probe = finder.Prove(position, kNodes, nullptr);
    if (!probe.move) continue;  // some need a quiet move, or a weak defence
    EXPECT_LE(probe.nodes, kNodes);
    const Key before = position.key();
    ASSERT_TRUE(position.IsLegal(probe.move) && position.GivesCheck(probe.move));
    ASSERT_EQ(probe.plies % 2, 1);
    if (probe.plies <= 9) {
      EXPECT_TRUE(MatesByChecks(position, (probe.plies + 1) / 2)) << mate.fen;
      ++proven;
    }
    EXPECT_EQ(position.key(), before);
    ++found;
  }
  EXPECT_GT(proven, 20);
  EXPECT_GE(found, static_cast<int>(mates.size()) * 6 / 10);
}

TEST(XiangqiMateFinder, KeepsItsLimits) {
  const auto path = testing::SharedData("tsume/xiangqi_mates.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  int deeper = 0;
  for (const KnownMate& mate : KnownMates(path, 4, 25)) {
    Position position = At(mate.fen);
    MateFinder finder;
    const MateProbe probe = finder.Prove(position, 100'000, nullptr);
    if (!probe.move) continue;
    EXPECT_LE(finder.Find(position, probe.nodes / 2, nullptr).nodes, probe.nodes / 2);
    EXPECT_EQ(finder.Find(position, 100'000, nullptr).move, probe.move) << "the same each time";
    // A depth finds the mate exactly if the mate is no longer.
    for (int plies = 1; plies <= 7; plies += 2) {
      finder.Use(plies, 0);
      const MateProbe short_one = finder.Find(position, 100'000, nullptr);
      ASSERT_EQ(static_cast<bool>(short_one.move), MatesByChecks(position, (plies + 1) / 2))
          << mate.fen << " " << plies;
      if (!short_one.move) ++deeper;
      EXPECT_LE(short_one.plies, plies);
    }
    finder.Use(0, 0);
  }
  EXPECT_GT(deeper, 3);
  Position start;
  MateFinder finder;
  const std::atomic<bool> stop = true;
  EXPECT_FALSE(finder.Find(start, 1000, &stop).move);
  EXPECT_LE(finder.Find(start, 3, nullptr).nodes, 3u);
}

TEST(XiangqiMateSolver, GivesLinesThatEndInMate) {
  const auto path = testing::SharedData("tsume/xiangqi_mates.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  MateSolver solver;
  int found = 0;
  for (const KnownMate& mate : KnownMates(path, 3, 6)) {
    Position position = At(mate.fen);
    const MateResult result = solver.Run(position, {.nodes = 50'000, .ms = 0});
    EXPECT_LE(result.nodes, 50'000u);
    if (result.verdict != MateVerdict::kMate) {
      EXPECT_TRUE(result.line.empty());
      continue;
    }
    ++found;
    ASSERT_EQ(result.line.size() % 2, 1u) << mate.fen;
    for (size_t i = 0; i < result.line.size(); ++i) {
      ASSERT_TRUE(position.IsLegal(result.line[i])) << mate.fen;
      ASSERT_TRUE(i % 2 == 1 || position.GivesCheck(result.line[i])) << mate.fen;
      Undo undo;
      position.Do(result.line[i], undo);
    }
    EXPECT_TRUE(BruteXiangqi(position).LegalMoves().empty()) << mate.fen;
  }
  EXPECT_GT(found, 10);
}

TEST(XiangqiMateSolver, DeniesAMateOnlyAfterSearchingAll) {
  // Two rooks mate in two; one alone does not.
  const Position two = At("4k4/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1");
  MateResult result = MateSolver().Run(two, {});
  EXPECT_EQ(result.verdict, MateVerdict::kMate);
  EXPECT_EQ(result.line.size(), 3u);
  EXPECT_EQ(MateSolver(/*plies=*/1).Run(two, {}).verdict, MateVerdict::kNoMate);
  EXPECT_EQ(MateSolver().Run(two, {.nodes = 1, .ms = 0}).verdict, MateVerdict::kUnknown);
  const Position one = At("4k4/9/9/1R7/9/9/9/9/9/3K5 w - - 0 1");
  result = MateSolver().Run(one, {});
  EXPECT_EQ(result.verdict, MateVerdict::kNoMate);
  EXPECT_TRUE(result.line.empty());
  // A time limit that is not reached changes nothing.
  EXPECT_EQ(MateSolver().Run(two, {.nodes = 0, .ms = 1'000'000}).verdict, MateVerdict::kMate);
}

}  // namespace
}  // namespace joseki::xiangqi
