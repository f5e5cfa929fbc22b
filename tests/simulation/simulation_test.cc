#include "tests/simulation/simulation.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::testing {
namespace {

using ::testing::IsEmpty;

SimulationReport Simulated(uint64_t seed) {
  const TempFolder folder;
  SimulationOptions options;
  options.seed = seed;
  options.folder = folder.path().string();
  return Simulate(options);
}

TEST(SimulationTest, IsTheSameForTheSameSeed) {
  const SimulationReport report = Simulated(1);
  EXPECT_THAT(report.violations, IsEmpty());
  EXPECT_EQ(Simulated(1).trace, report.trace);
  EXPECT_NE(Simulated(2).trace, report.trace);
}

TEST(SimulationTest, LosesAndDoublesNothing) {
  SimulationReport sum;
  // Seeds in which every kind of trouble comes: half of them restore a backup, or do not.
  for (uint64_t seed = 11; seed <= 20; ++seed) {
    const SimulationReport report = Simulated(seed);
    ASSERT_THAT(report.violations, IsEmpty()) << "seed " << seed;
    EXPECT_GT(report.acknowledged, 0u);
    sum.duplicates += report.duplicates;
    sum.stale += report.stale;
    sum.faults += report.faults;
    sum.lost += report.lost;
    sum.repeated += report.repeated;
    sum.power_losses += report.power_losses;
    sum.deaths_while_writing += report.deaths_while_writing;
    sum.storage_faults += report.storage_faults;
    sum.worker_deaths += report.worker_deaths;
    sum.leases_with_replies += report.leases_with_replies;
    sum.copies += report.copies;
    sum.quarantines += report.quarantines;
    sum.blocks += report.blocks;
    sum.extensions += report.extensions;
    sum.restores += report.restores;
    sum.of_lost_epochs += report.of_lost_epochs;
  }
  // All of it did happen.
  EXPECT_GT(sum.duplicates, 0u);
  EXPECT_GT(sum.stale, 0u);
  EXPECT_GT(sum.faults, 0u);
  EXPECT_GT(sum.lost, 0u);
  EXPECT_GT(sum.repeated, 0u);
  EXPECT_GT(sum.power_losses, 0u);
  EXPECT_GT(sum.deaths_while_writing, 0u);
  EXPECT_GT(sum.storage_faults, 0u);
  EXPECT_GT(sum.worker_deaths, 0u);
  EXPECT_GT(sum.leases_with_replies, 0u);
  EXPECT_GT(sum.copies, 0u);
  EXPECT_GT(sum.quarantines, 0u);
  EXPECT_GT(sum.blocks, 0u);
  EXPECT_GT(sum.extensions, 0u);
  EXPECT_GT(sum.restores, 0u);
  EXPECT_GT(sum.of_lost_epochs, 0u);
}

}  // namespace
}  // namespace joseki::testing
