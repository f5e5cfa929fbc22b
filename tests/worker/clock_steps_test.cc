// Tests a worker whose machine's clock is set forward by an hour at each look, as by chrony or in a
// resumed virtual machine. The function below replaces the C library's in this program.

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "absl/time/clock.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/worker/mock.h"
#include "tests/worker/work_loop_fixture.h"
#include "worker/loop/words.h"
#include "worker/play/referee.h"
#include "worker/play/usi/usi_player.h"

namespace {
std::atomic<time_t> ahead{0};  // seconds
}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const long result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += ahead += 3600;
  return static_cast<int>(result);
}

namespace joseki::worker {
namespace {

using ::testing::Contains;
using ::testing::Not;

using ClockStepsTest = WorkLoopTest;

TEST_F(ClockStepsTest, TheClockSteps) {
  const absl::Time before = absl::Now();
  EXPECT_GE(absl::Now() - before, absl::Hours(1));
}

TEST_F(ClockStepsTest, NoEngineIsLate) {
  PlaySpec spec;
  spec.engine_id = "mock";
  spec.nodes = 10;
  spec.match.max_plies = 12;
  Slot slot;
  slot.start = "startpos";
  UsiPlayer player(MockEntry(), {}, shogi::ShogiRules());
  const RefereedGame game =
      PlayGame(shogi::ShogiRules(), spec, slot, player, [](int) { return true; });
  EXPECT_EQ(game.ending.termination, Termination::kMaxPlies) << game.fault;
  EXPECT_LT(player.thought(), absl::Hours(1));
}

TEST_F(ClockStepsTest, NoWorkerIsIdle) {
  options_.exit_when_idle = absl::Minutes(10);
  port_.total = 20;
  port_.hold_when_empty = false;
  Start();
  port_.Await([&] { return port_.stored.size() == 20; });
  int seen = 0;
  port_.With([&] { seen = port_.acquires; });
  port_.Await([&] { return port_.acquires > seen + 2; });
  loop_->Drain();
  EXPECT_TRUE(Finish().ok());
  EXPECT_THAT(lines_, Not(Contains(kDrainingIdle)));
}

}  // namespace
}  // namespace joseki::worker
