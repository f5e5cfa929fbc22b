#include "worker/instance.h"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "worker/play/cost.h"

namespace joseki::worker {
namespace {

TEST(Instance, IsTheSameForEveryProcessOfASpool) {
  joseki::testing::TempFolder one;
  joseki::testing::TempFolder other;
  const uint64_t first = InstanceIn(one.path(), Rng(1)).value();
  EXPECT_NE(first, 0u);
  EXPECT_EQ(InstanceIn(one.path(), Rng(2)).value(), first);
  EXPECT_NE(InstanceIn(other.path(), Rng(3)).value(), first);
}

TEST(Instance, IsDrawnAnewWhereTheFileIsNone) {
  joseki::testing::TempFolder folder;
  for (const char* const text : {"", "0\n", "xyz\n", "12 34\n", "12"}) {
    std::ofstream(folder / "instance") << text;
    const uint64_t drawn = InstanceIn(folder.path(), Rng(5)).value();
    EXPECT_EQ(drawn, Rng(5).Next() | 1) << text;
    EXPECT_EQ(InstanceIn(folder.path(), Rng(6)).value(), drawn);
  }
}

TEST(Cost, CountsTheEnginesThatLive) {
  CostMeter meter(2);
  const absl::Duration before = meter.Read().processor;
  meter.Add(0, absl::Seconds(50), absl::Seconds(60));
  meter.Add(1, absl::Seconds(5), absl::ZeroDuration());
  WorkerCost cost = meter.Read();
  EXPECT_GE(cost.processor - before, absl::Seconds(60));
  EXPECT_EQ(cost.search, absl::Seconds(55));
  // The engine has ended; the children of the process that were waited for have none of it.
  meter.Add(0, absl::ZeroDuration(), absl::ZeroDuration());
  cost = meter.Read();
  EXPECT_LT(cost.processor, absl::Seconds(60) + before);
  EXPECT_LE(cost.search, cost.processor) << "never more than all";
}

TEST(Cost, KnowsTheTimeOfAProcess) {
  ASSERT_TRUE(ProcessorTimeOfProcess(getpid()).has_value());
  EXPECT_GT(*ProcessorTimeOfProcess(getpid()), absl::ZeroDuration());
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(ProcessorTimeOfProcess(child).has_value());
}

}  // namespace
}  // namespace joseki::worker
