#include "engine/search/shogi/bench.h"

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
  EXPECT_GT(result.nodes, 18u * 500 + 10'000);
  EXPECT_LE(result.nodes, 20u * 500 + 2 * 10'000);
  EXPECT_NE(result.signature, 0u);
  EXPECT_NE(result.signature, RunBench(600).signature);
}

TEST(Bench, CountsHowOftenKillersWereGood) {
  const KillerRates rates = RunKillerBench(9000);
  for (int kind = 0; kind < ContextKillers::kKindCount; ++kind) {
    const auto k = static_cast<ContextKillers::Kind>(kind);
    const KillerRates::Rate total = rates.Total(k);
    // The search after a pass is so much shallower that few nodes below it have moves.
    EXPECT_GT(total.legal, kind == ContextKillers::kPass ? 0u : 100u) << kind;
    EXPECT_GT(total.effective(), 0.0) << kind;
    EXPECT_LE(total.effective(), 1.0) << kind;
    uint64_t legal = 0;
    for (const auto& rate : rates.by_stage[k]) legal += rate.legal;
    EXPECT_EQ(legal, total.legal) << kind;
    uint64_t of_positions = 0;
    for (const auto& rate : rates.by_position[k]) of_positions += rate.legal;
    EXPECT_EQ(rates.by_position[k].size(), BenchPositions().size()) << kind;
    EXPECT_EQ(of_positions, total.legal) << kind;
    uint64_t good = 0;
    for (const uint64_t count : rates.by_category[k]) good += count;
    EXPECT_EQ(good, total.best + total.cut) << kind;
    good = 0;
    for (const uint64_t count : rates.by_purpose[k]) good += count;
    EXPECT_EQ(good, total.best + total.cut) << kind;
  }
}

// Places are shared, but seldom.
TEST(Bench, CountsContextsThatAreOthers) {
  const KillerRates rates = RunKillerBench(9000);
  EXPECT_GT(rates.false_contexts, 0u);
  EXPECT_LT(2 * rates.false_contexts, rates.Total(ContextKillers::kContext).legal);
}

TEST(Bench, CountsWhatHappensInTheTable) {
  const TableBench small = RunTableBench(3, size_t{1} << 12, 0);
  const TableBench large = RunTableBench(3, size_t{1} << 20, 0);
  for (const TableBench& bench : {small, large}) {
    EXPECT_GT(bench.statistics.hits, 0u);
    EXPECT_LT(bench.statistics.hits, bench.statistics.probes);
    EXPECT_LE(bench.statistics.overwrites, bench.statistics.stores);
    EXPECT_EQ(bench.statistics.refusals, 0u);
  }
  EXPECT_GT(small.statistics.overwrites, large.statistics.overwrites);
  EXPECT_GT(small.expected_overwrites, large.expected_overwrites);
  const int old = static_cast<int>(Replacement::kOld);
  EXPECT_GT(RunTableBench(3, size_t{1} << 12, old).statistics.refusals, 0u);
}

}  // namespace
}  // namespace joseki
