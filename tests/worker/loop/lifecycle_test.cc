#include "worker/loop/lifecycle.h"

#include <thread>

#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

Phase PhaseOf(Lifecycle& life) {
  const Lifecycle::Lock lock = life.Hold();
  return life.phase();
}

TEST(Lifecycle, NeverGoesBack) {
  Lifecycle life;
  EXPECT_EQ(PhaseOf(life), Phase::kWork);
  life.Advance(Phase::kFinishPlaying);
  life.Advance(Phase::kFinishHeld);
  EXPECT_EQ(PhaseOf(life), Phase::kFinishPlaying);
}

TEST(Lifecycle, StopsTheTokensOfEveryPhaseReached) {
  Lifecycle life;
  life.Advance(Phase::kFinishPlaying);
  EXPECT_TRUE(life.At(Phase::kFinishHeld).stop_requested());
  EXPECT_TRUE(life.At(Phase::kFinishPlaying).stop_requested());
  EXPECT_FALSE(life.At(Phase::kBreakOff).stop_requested());
  EXPECT_FALSE(life.At(Phase::kStop).stop_requested());
}

TEST(Lifecycle, StopCallbacksMayTakeTheLock) {
  Lifecycle life;
  Phase seen = Phase::kWork;
  const std::stop_callback callback(life.At(Phase::kStop), [&] { seen = PhaseOf(life); });
  life.Advance(Phase::kStop);
  EXPECT_EQ(seen, Phase::kStop);
}

TEST(Lifecycle, FailureStopsTheLoopAndTheFirstOneStays) {
  Lifecycle life;
  life.Fail(absl::InternalError("first"));
  life.Fail(absl::InternalError("second"));
  EXPECT_EQ(life.failure(), absl::InternalError("first"));
  EXPECT_EQ(PhaseOf(life), Phase::kStop);
}

TEST(Lifecycle, APauseEndsAtTheStopOrInTime) {
  Lifecycle life;
  EXPECT_TRUE(life.Pause(absl::Milliseconds(1), life.At(Phase::kStop)));
  std::thread stopper([&] { life.Advance(Phase::kStop); });
  EXPECT_FALSE(life.Pause(absl::Hours(10), life.At(Phase::kStop)));
  stopper.join();
}

}  // namespace
}  // namespace joseki::worker
