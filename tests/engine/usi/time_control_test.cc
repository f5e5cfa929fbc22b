#include "engine/usi/time_control.h"

#include "gtest/gtest.h"

namespace joseki::usi {
namespace {

GoCommand Clock(int64_t remaining, int64_t increment, int64_t byoyomi) {
  GoCommand go;
  go.has_clock = true;
  go.clock.remaining[0] = remaining;
  go.clock.increment[0] = increment;
  go.clock.byoyomi = byoyomi;
  return go;
}

TEST(TimeControl, NeverUsesMoreThanTheClockShows) {
  for (const int64_t remaining : {0, 100, 1000, 60000, 3600000}) {
    for (const int64_t increment : {0, 1000, 10000}) {
      for (const int64_t byoyomi : {0, 1000, 10000}) {
        const SearchLimits limits = LimitsFor(Clock(remaining, increment, byoyomi), Color::kFirst);
        EXPECT_GT(limits.hard_ms, 0);
        EXPECT_GT(limits.soft_ms, 0);
        EXPECT_LE(limits.soft_ms, limits.hard_ms);
        if (remaining + byoyomi > 200) {
          EXPECT_LT(limits.hard_ms, remaining + byoyomi);
        }
      }
    }
  }
}

// Even a move that takes all that it may leaves the later ones half of what an even share would be.
TEST(TimeControl, LeavesTimeForTheMovesBeforeTheControl) {
  for (const int moves : {2, 3, 4, 10, 40}) {
    int64_t left = 60000;
    for (int to_go = moves; to_go > 1; --to_go) {
      GoCommand go = Clock(left, 0, 0);
      go.clock.moves_to_go = to_go;
      const int64_t share = left / to_go;
      left -= LimitsFor(go, Color::kFirst).hard_ms;
      EXPECT_GE(left / (to_go - 1), share / 2) << to_go << " of " << moves;
    }
  }
  GoCommand last = Clock(60000, 0, 0);
  last.clock.moves_to_go = 1;
  EXPECT_GT(LimitsFor(last, Color::kFirst).hard_ms, 59000);
}

TEST(TimeControl, ByoyomiAloneIsUsedUp) {
  const SearchLimits limits = LimitsFor(Clock(0, 0, 10000), Color::kFirst);
  EXPECT_GT(limits.hard_ms, 9000);
  EXPECT_LT(limits.hard_ms, 10000);
}

TEST(TimeControl, TakesTheClockOfTheSideToMove) {
  GoCommand go = Clock(1000, 0, 0);
  go.clock.remaining[1] = 1000000;
  EXPECT_LT(LimitsFor(go, Color::kFirst).hard_ms, LimitsFor(go, Color::kSecond).hard_ms);
}

TEST(TimeControl, InfiniteAndPonderHaveNoClock) {
  GoCommand go = Clock(1000, 0, 0);
  go.ponder = true;
  EXPECT_EQ(LimitsFor(go, Color::kFirst).hard_ms, 0);
  go.ponder = false;
  go.infinite = true;
  EXPECT_EQ(LimitsFor(go, Color::kFirst).hard_ms, 0);
}

TEST(TimeControl, MovetimeIsKept) {
  GoCommand go;
  go.movetime = 777;
  EXPECT_EQ(LimitsFor(go, Color::kFirst).hard_ms, 777);
}

}  // namespace
}  // namespace joseki::usi
