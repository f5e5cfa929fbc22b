#include <set>
#include <string>
#include <vector>

#include "cli/cluster/process.h"
#include "cli/load/latency.h"
#include "cli/load/payload.h"
#include "engine/shogi/shogi_rules.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::cli {
namespace {

TEST(LatenciesTest, PercentilesAreWithinTheirBuckets) {
  Latencies latencies;
  EXPECT_EQ(latencies.Percentile(0.5), 0);
  for (int ms = 1; ms <= 1000; ++ms) latencies.Add(absl::Milliseconds(ms));
  EXPECT_EQ(latencies.count(), 1000u);
  EXPECT_NEAR(latencies.Percentile(0.5), 500, 500 * 0.016);
  EXPECT_NEAR(latencies.Percentile(0.99), 990, 990 * 0.016);
  EXPECT_NEAR(latencies.Percentile(0), 1, 0.016);
  EXPECT_GE(latencies.Percentile(1), 1000);
}

TEST(LatenciesTest, KeepsSmallLargeAndNegativeOnes) {
  Latencies latencies;
  latencies.Add(absl::Microseconds(17));
  EXPECT_DOUBLE_EQ(latencies.Percentile(1), 0.017);
  latencies.Add(absl::Seconds(-1));
  EXPECT_DOUBLE_EQ(latencies.Percentile(0), 0);
  latencies.Add(absl::Hours(1'000'000));
  EXPECT_GT(latencies.Percentile(1), 1000.0 * 3600);
}

TEST(LatenciesTest, AddUp) {
  Latencies a;
  Latencies b;
  a.Add(absl::Milliseconds(1));
  b.Add(absl::Milliseconds(100));
  a.Add(b);
  EXPECT_EQ(a.count(), 2u);
  EXPECT_NEAR(a.Percentile(1), 100, 1.6);
}

class LoadPayloadTest : public ::testing::Test {
 protected:
  static LoadPayload::Options Small() {
    LoadPayload::Options options;
    options.lines = 20;
    options.line_plies = 20;
    options.variants = 2;
    options.match.max_plies = 60;
    return options;
  }
  // The moves of the first record of the text, by their texts.
  std::vector<Move> FirstLine(const std::string& text) const {
    std::vector<Move> moves;
    const size_t end = text.find('\n');
    for (size_t at = text.find("moves") + 6; at < end; at = text.find(' ', at) + 1) {
      const size_t stop = std::min(text.find(' ', at), end);
      moves.push_back(rules_.MoveOf(text.substr(at, stop - at)).value());
      if (stop == end) break;
    }
    return moves;
  }

  const Rules& rules_ = shogi::ShogiRules();
};

TEST_F(LoadPayloadTest, GamesAreLegalWholeAndThroughTheirLine) {
  LoadPayload payload(rules_, Small());
  payload.DrawBook();
  payload.Prepare(2);
  EXPECT_EQ(payload.taken(), 0u);
  const std::vector<Move> line = FirstLine(payload.BookText());
  ASSERT_EQ(line.size(), 20u);
  std::set<std::vector<Move>> different;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const LoadPayload::Game* game = payload.Take("startpos", line, seed);
    ASSERT_NE(game, nullptr);
    different.insert(game->moves);
    ASSERT_GE(game->moves.size(), line.size());
    EXPECT_TRUE(std::equal(line.begin(), line.end(), game->moves.begin()));
    const auto state = rules_.Start("startpos", Small().match).value();
    for (const Move move : game->moves) {
      ASSERT_FALSE(state->ending());
      ASSERT_TRUE(state->Play(move));
    }
    EXPECT_EQ(state->ending(), game->ending);
  }
  EXPECT_EQ(different.size(), 2u);
  EXPECT_EQ(payload.taken(), 2u);
}

TEST_F(LoadPayloadTest, IsAFunctionOfItsSeed) {
  LoadPayload::Options other = Small();
  other.seed = 2;
  LoadPayload a(rules_, Small());
  LoadPayload b(rules_, Small());
  LoadPayload c(rules_, other);
  for (LoadPayload* payload : {&a, &b, &c}) payload->DrawBook();
  EXPECT_EQ(a.BookText(), b.BookText());
  EXPECT_NE(a.BookText(), c.BookText());
  const std::vector<Move> line = FirstLine(a.BookText());
  EXPECT_EQ(a.Take("startpos", line, 0)->moves, b.Take("startpos", line, 0)->moves);
}

TEST_F(LoadPayloadTest, AnIllegalLineHasNoGame) {
  LoadPayload payload(rules_, Small());
  const std::vector<Move> line = {rules_.MoveOf("5a5b").value()};
  EXPECT_EQ(payload.Take("startpos", line, 0), nullptr);
  EXPECT_EQ(payload.Take("no position", {}, 0), nullptr);
}

TEST(LoadProcessTest, MeasuresSync) {
  const testing::TempFolder folder;
  const auto sync = MeasureSync(folder.path().string());
  ASSERT_TRUE(sync.ok()) << sync.status();
  EXPECT_GE(sync->p99_ms, sync->p50_ms);
  EXPECT_FALSE(MeasureSync(folder / "missing").ok());
}

}  // namespace
}  // namespace joseki::cli
