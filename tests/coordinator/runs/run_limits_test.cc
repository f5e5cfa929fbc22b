#include "coordinator/runs/run_limits.h"

#include <cstdint>
#include <optional>

#include "gtest/gtest.h"
#include "tests/coordinator/runs/run_rig.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

uint64_t ExpectedGames(uint64_t games, uint64_t seconds, int played_seconds,
                       uint32_t played_games) {
  RunSpec spec = testing::ToySpec(games);
  spec.seconds = seconds;
  Rig run(spec);
  run.PlayAll(run.Grant(played_games));
  run->AddPlayedMs(int64_t{1000} * played_seconds);
  const std::optional<MatchState> no_match;
  return RunLimits{run->row(), run->book(), run->evidence(), run->searches(), no_match}
      .ExpectedGames();
}

TEST(RunLimits, GamesToBeExpectedFollowFromTheBudget) {
  EXPECT_EQ(ExpectedGames(/*games=*/500, /*seconds=*/0, 10, 200), 500u);
  EXPECT_EQ(ExpectedGames(0, 0, 10, 200), 400u);
}

TEST(RunLimits, WhereTimeBoundsThemTheyFollowFromThePace) {
  EXPECT_EQ(ExpectedGames(0, 3600, 0, 200), 400u);
  EXPECT_EQ(ExpectedGames(0, 3600, 20, 99), 198u);
  EXPECT_EQ(ExpectedGames(0, 3600, 20, 100), 18'000u);
  EXPECT_EQ(ExpectedGames(0, 3600, 40, 100), 9'000u);
  EXPECT_EQ(ExpectedGames(5'000, 3600, 20, 100), 5'000u);
  EXPECT_EQ(ExpectedGames(50'000, 3600, 20, 100), 18'000u);
}

}  // namespace
}  // namespace joseki::coordinator
