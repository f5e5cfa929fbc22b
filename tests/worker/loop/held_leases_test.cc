#include "worker/loop/held_leases.h"

#include <memory>
#include <optional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Lease LeaseOf(LeaseId number, uint32_t slots) {
  Lease lease;
  lease.lease = number;
  lease.run = 1;
  for (uint32_t slot = 0; slot < slots; ++slot) lease.slots.emplace_back().slot = slot;
  return lease;
}

class HeldLeasesTest : public ::testing::Test {
 protected:
  void Add(LeaseId number, uint32_t slots, const std::string& epoch = "one") {
    leases_.Add(epoch, LeaseOf(number, slots), play_);
  }

  const std::shared_ptr<const PlaySpec> play_ = std::make_shared<const PlaySpec>();
  HeldLeases leases_;
};

TEST_F(HeldLeasesTest, ForgetsALeaseAfterItsLastGame) {
  Add(7, 2);
  const std::optional<Assignment> first = leases_.Next();
  const std::optional<Assignment> second = leases_.Next();
  EXPECT_EQ(leases_.Next(), std::nullopt);
  leases_.Done(*first, /*played=*/true);
  EXPECT_THAT(leases_.Progress(), SizeIs(1));
  leases_.Done(*second, /*played=*/true);
  EXPECT_THAT(leases_.Progress(), IsEmpty());
  EXPECT_TRUE(leases_.empty());
  EXPECT_THAT(leases_.TakeUnplayed(), IsEmpty());
}

TEST_F(HeldLeasesTest, KeepsALeaseThatIsSentAgain) {
  Add(7, 2);
  Add(7, 2);
  EXPECT_EQ(leases_.waiting(), 2u);
}

TEST_F(HeldLeasesTest, GivesBackUnplayedWaitingAndLateSlots) {
  Add(7, 2);
  leases_.Done(*leases_.Next(), /*played=*/false);
  leases_.Decline(LeaseOf(8, 3));
  EXPECT_THAT(leases_.TakeUnplayed(), SizeIs(1 + 1 + 3));
  EXPECT_THAT(leases_.TakeUnplayed(), IsEmpty());
  EXPECT_TRUE(leases_.empty());
}

TEST_F(HeldLeasesTest, AbandonsTheGamesOfALease) {
  Add(7, 2);
  Add(8, 1);
  const std::optional<Assignment> playing = leases_.Next();
  EXPECT_TRUE(leases_.Abandon(7));
  EXPECT_TRUE(playing->abandoned());
  EXPECT_FALSE(leases_.Abandon(7));
  EXPECT_EQ(leases_.waiting(), 1u) << "the other lease's";
  EXPECT_EQ(leases_.playing(), 1u) << "until the seat has noticed";
  leases_.Done(*playing, /*played=*/false);
  EXPECT_EQ(leases_.playing(), 0u);
  EXPECT_THAT(leases_.TakeUnplayed(), SizeIs(1)) << "the other lease's";
}

// Lease numbers of another database begin anew, maybe before the last game of the old one ends.
TEST_F(HeldLeasesTest, HoldsALeaseOfAnotherDatabaseBesideAGameOfItsNumber) {
  Add(1, 1);
  const std::optional<Assignment> old = leases_.Next();
  leases_.AbandonAll();
  Add(1, 2, "two");
  EXPECT_EQ(leases_.waiting(), 2u);
  leases_.Done(*old, /*played=*/false);
  EXPECT_THAT(leases_.Progress(), SizeIs(1));
  EXPECT_EQ(leases_.Next()->epoch, "two");
  EXPECT_THAT(leases_.TakeUnplayed(), SizeIs(1));
}

}  // namespace
}  // namespace joseki::worker
