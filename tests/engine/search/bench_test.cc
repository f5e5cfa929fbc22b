#include "engine/search/bench.h"

#include <fstream>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/shogi_game.h"

namespace joseki {
namespace {

TEST(Bench, PositionsAreSoundAndDiffer) {
  std::set<std::string> seen;
  for (const char* text : BenchPositions()) {
    const shogi::Position position = shogi::At(text);
    EXPECT_STREQ(position.Flaw(), "") << text;
    EXPECT_TRUE(seen.insert(shogi::ToSfen(position, 1)).second) << text << " twice";
  }
  EXPECT_EQ(seen.size(), 20u);
}

// A change of the search, the evaluation, the rules or the positions changes the number; then the
// file follows, knowingly, in the same commit.
TEST(Bench, SignatureIsTheRecordedOne) {
  std::ifstream file(testing::TestData("../engine/bench_signature.txt"));
  uint64_t recorded = 0;
  ASSERT_TRUE(file >> recorded);
  EXPECT_EQ(BenchSignature(), recorded);
}

TEST(Bench, CountsItsNodes) {
  const BenchResult result = RunBench(500);
  EXPECT_GT(result.nodes, 18u * 500);
  EXPECT_LE(result.nodes, 20u * 500);
  EXPECT_NE(result.signature, 0u);
  EXPECT_NE(result.signature, RunBench(600).signature);
}

}  // namespace
}  // namespace joseki
