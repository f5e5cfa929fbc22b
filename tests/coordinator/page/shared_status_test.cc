#include "coordinator/page/shared_status.h"

#include "gtest/gtest.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

class SharedStatusTest : public ::testing::Test {
 protected:
  testing::FakeClock clock_;
  int looks_ = 0;
  SharedStatus status_{[this] {
                         ++looks_;
                         ClusterStatus status;
                         status.queued_games = static_cast<uint64_t>(looks_);
                         return status;
                       },
                       absl::Seconds(1), clock_};
};

TEST_F(SharedStatusTest, OneLookIsForAllWhoAskWithinASecond) {
  const SharedStatus::Look first = status_.Get();
  clock_.Advance(absl::Milliseconds(999));
  EXPECT_EQ(status_.Get(), first);
  EXPECT_EQ(looks_, 1);
  clock_.Advance(absl::Milliseconds(1));
  EXPECT_EQ(status_.Get()->queued_games, 2U);
  // A holder of the older status may go on reading it.
  EXPECT_EQ(first->queued_games, 1U);
}

TEST_F(SharedStatusTest, AClockThatGoesBackKeepsNothing) {
  status_.Get();
  clock_.Advance(-absl::Hours(1));
  EXPECT_EQ(status_.Get()->queued_games, 2U);
  clock_.Advance(absl::Milliseconds(500));
  EXPECT_EQ(status_.Get()->queued_games, 2U);
}

}  // namespace
}  // namespace joseki::coordinator
