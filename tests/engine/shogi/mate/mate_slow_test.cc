#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "engine/shogi/mate/mate_solver.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/engine/shogi/mate/brute_mate.h"
#include "tests/support/data.h"
#include "tests/support/shogi_game.h"
#include "tests/support/tsv.h"

namespace joseki::shogi {
namespace {

constexpr size_t kLargeTable = size_t{64} << 20;
// Far beyond what any of the positions takes; without clocks, so that a slow machine passes too.
constexpr uint64_t kNodes = 20'000'000;

// The first column of a file, with or without a header.
std::vector<std::string> Sfens(const std::string& name) {
  std::vector<std::string> sfens;
  std::ifstream in(testing::SharedData(name));
  for (std::string line; std::getline(in, line);) {
    const std::string sfen = line.substr(0, line.find('\t'));
    if (sfen != "sfen") sfens.push_back(sfen);
  }
  return sfens;
}

class MatesOfLength : public ::testing::TestWithParam<std::string> {};

TEST_P(MatesOfLength, AreAllProven) {
  const std::string name = "tsume/" + GetParam();
  JOSEKI_REQUIRE_SHARED_DATA(testing::SharedData(name));
  MateSolver solver(kLargeTable);
  for (const std::string& sfen : Sfens(name)) {
    EXPECT_EQ(solver.Run(At(sfen), {.nodes = kNodes}).verdict, MateVerdict::kMate) << sfen;
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, MatesOfLength,
                         ::testing::Values("shogi_mate_01ply.tsv", "shogi_mate_03ply.sfen",
                                           "shogi_mate_05ply.sfen", "shogi_mate_07ply.sfen",
                                           "shogi_mate_09ply.sfen", "shogi_mate_11ply.sfen"));

TEST(NoMateInOne, IsNeverClaimed) {
  JOSEKI_REQUIRE_SHARED_DATA(testing::SharedData("tsume/shogi_no_mate_01ply.sfen"));
  MateSolver solver(kLargeTable);
  for (const std::string& sfen : Sfens("tsume/shogi_no_mate_01ply.sfen")) {
    const MateResult result = solver.Run(At(sfen), {.nodes = 20000});
    EXPECT_NE(result.line.size(), 1u) << sfen;
  }
}

TEST(OddMates, AreAsExpected) {
  const auto path = testing::SharedData("tsume/shogi_antma_tests.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  MateSolver solver(kLargeTable);
  for (const auto& row : testing::ReadTsv(path)) {
    if (row[0] == "sfen") continue;
    const MateResult result = solver.Run(At(row[0]), {.nodes = kNodes});
    if (row[1] == "mate_in") {
      EXPECT_EQ(result.verdict, MateVerdict::kMate) << row[0];
    } else {
      EXPECT_TRUE(result.verdict != MateVerdict::kMate ||
                  result.line.size() > static_cast<size_t>(std::stoi(row[2])))
          << row[0];
    }
  }
}

// Repeats the quick test with more and deeper positions.
TEST(MateSolverSlow, IsAsRightAsTryingEveryMove) {
  MateSolver solver(size_t{4} << 20);
  MateSolver tiny(size_t{1} << 12);
  Rng rng(17);
  int mates = 0;
  int no_mates = 0;
  for (int i = 0; i < 2000; ++i) {
    Position position = RandomAttack(rng);
    const MateResult result = (i % 4 == 0 ? tiny : solver).Run(position, {.nodes = 20000});
    int64_t budget = 50000;
    const bool within = MatesWithin(position, 7, budget);
    if (budget <= 0) continue;
    if (within) {
      ASSERT_NE(result.verdict, MateVerdict::kNoMate) << ToSfen(position, 1);
    } else if (result.verdict == MateVerdict::kMate) {
      ASSERT_GT(result.line.size(), 7u) << ToSfen(position, 1);
    }
    mates += result.verdict == MateVerdict::kMate ? 1 : 0;
    no_mates += result.verdict == MateVerdict::kNoMate ? 1 : 0;
  }
  EXPECT_GT(mates, 100);
  EXPECT_GT(no_mates, 1000);
}

TEST(MateSolverSlow, IsAsRightAsTheWholeGraph) {
  MateSolver solver(size_t{4} << 20);
  MateSolver tiny(size_t{1} << 12);
  Rng rng(29);
  int mates = 0;
  int no_mates = 0;
  for (int i = 0; i < 2000; ++i) {
    const Position position = RandomAttack(rng, /*kinds=*/0);
    const std::optional<bool> mate = MatesAtAll(position, 5000);
    if (!mate) continue;
    const MateResult result = (i % 4 == 0 ? tiny : solver).Run(position, {.nodes = 200000});
    ASSERT_NE(result.verdict, *mate ? MateVerdict::kNoMate : MateVerdict::kMate)
        << ToSfen(position, 1);
    mates += result.verdict == MateVerdict::kMate ? 1 : 0;
    no_mates += result.verdict == MateVerdict::kNoMate ? 1 : 0;
  }
  EXPECT_GT(mates, 10);
  EXPECT_GT(no_mates, 500);
}

}  // namespace
}  // namespace joseki::shogi
