#include "coordinator/scheduling/lease_table.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1000);
constexpr absl::Duration kTerm = absl::Seconds(90);

LeaseGrant GrantOf(LeaseId lease, uint32_t slots, std::string worker = "w", RunId run = 1) {
  LeaseGrant grant;
  grant.lease = lease;
  grant.run = run;
  grant.worker = std::move(worker);
  grant.session = 4;
  grant.stage = 2;
  grant.term = kTerm;
  for (uint32_t i = 0; i < slots; ++i) {
    PlannedSlot plan;
    plan.slot.slot = i;
    plan.slot.seed = 100 + i;
    grant.slots.push_back(plan);
  }
  return grant;
}

class LeaseTableTest : public ::testing::Test {
 protected:
  absl::Status Grant(LeaseGrant grant) {
    return table_.Grant(std::make_shared<const LeaseGrant>(std::move(grant)), now_);
  }
  void Grant(LeaseId lease, uint32_t slots, const std::string& worker = "w", RunId run = 1) {
    ASSERT_TRUE(Grant(GrantOf(lease, slots, worker, run)).ok());
  }
  bool IsOver(LeaseId lease) const { return table_.RunOf(lease) != 0 && !table_.IsLive(lease); }

  // Expire has work at `time` and none before.
  bool ExpiresFirstAt(absl::Time time) const {
    LeaseTable table = table_;
    return table.Expire(time - absl::Nanoseconds(1)).empty() && !table.Expire(time).empty();
  }
  bool NeverExpires() const { return LeaseTable(table_).Expire(absl::InfiniteFuture()).empty(); }

  LeaseTable table_;
  absl::Time now_ = kStart;
};

TEST_F(LeaseTableTest, GrantsAnIdOnceAndOnlyWithSlots) {
  Grant(7, 2);
  EXPECT_TRUE(absl::IsAlreadyExists(Grant(GrantOf(7, 1))));
  EXPECT_TRUE(absl::IsInvalidArgument(Grant(GrantOf(8, 0))));
  EXPECT_EQ(table_.LiveLeases(1), 1u);
  EXPECT_EQ(table_.OpenSlots(1), 2u);
  EXPECT_EQ(table_.OpenSlotsOf("w"), 2u);
}

TEST_F(LeaseTableTest, FindsASlotWithItsPlan) {
  Grant(7, 2);
  const auto found = table_.Find(7, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->plan->slot.seed, 101u);
  EXPECT_EQ(found->stage, 2);
  EXPECT_EQ(found->session, 4u);
  EXPECT_TRUE(table_.IsLive(7));
  EXPECT_FALSE(found->filled);
  EXPECT_FALSE(table_.Find(7, 2));
  EXPECT_FALSE(table_.Find(8, 0));
}

TEST_F(LeaseTableTest, ExpiresAtTheDeadlineAndNotBefore) {
  Grant(7, 2);
  EXPECT_TRUE(ExpiresFirstAt(kStart + kTerm));
  EXPECT_TRUE(table_.Expire(kStart + kTerm - absl::Milliseconds(1)).empty());
  const auto ended = table_.Expire(kStart + kTerm);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].lease, 7u);
  EXPECT_EQ(ended[0].open.size(), 2u);
  EXPECT_TRUE(NeverExpires());
  EXPECT_TRUE(table_.Expire(kStart + 10 * kTerm).empty());

  for (const LeaseId lease : {11, 12, 13}) Grant(lease, 1);
  EXPECT_EQ(table_.Expire(kStart + kTerm, 2).size(), 2u) << "no more at once";
  EXPECT_EQ(table_.Expire(kStart + kTerm, 2).size(), 1u);
  EXPECT_TRUE(IsOver(7));
  EXPECT_EQ(table_.OpenSlots(1), 0u);
}

TEST_F(LeaseTableTest, ExpiresTheEarliestFirst) {
  Grant(7, 1);
  now_ += absl::Seconds(1);
  Grant(5, 1);
  const auto ended = table_.Expire(now_ + kTerm);
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0].lease, 7u);
  EXPECT_EQ(ended[1].lease, 5u);
}

TEST_F(LeaseTableTest, RenewsByProgressOnly) {
  Grant(7, 2);
  EXPECT_TRUE(table_.Renew(7, "w", 10, kStart + absl::Seconds(50)).ok());
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Seconds(50) + kTerm));
  // Without new plies the games are stalled, so the deadline does not move.
  EXPECT_TRUE(table_.Renew(7, "w", 10, kStart + absl::Seconds(80)).ok());
  EXPECT_TRUE(table_.Renew(7, "w", 3, kStart + absl::Seconds(80)).ok());
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Seconds(50) + kTerm));
}

// Plies are the worker's claim: that alone holds no lease for ever.
TEST_F(LeaseTableTest, BelievesNoMorePliesThanItsGamesCanHave) {
  LeaseGrant grant = GrantOf(7, 2);
  grant.most_plies = 3;
  ASSERT_TRUE(Grant(grant).ok());
  for (int i = 1; i <= 10; ++i) {
    const auto plies = static_cast<uint32_t>(i);
    EXPECT_TRUE(table_.Renew(7, "w", plies, kStart + i * absl::Seconds(10)).ok());
  }
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Seconds(30) + kTerm));
  EXPECT_TRUE(table_.Renew(7, "w", 4'000'000'000, kStart + absl::Seconds(101)).ok());
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Seconds(30) + kTerm));
}

TEST_F(LeaseTableTest, ExpiresWhenNoGameComesForLong) {
  Grant(7, 2);
  const absl::Duration longest = absl::Seconds(300);
  absl::Time now = kStart;
  for (uint32_t plies = 1; plies < 100 && table_.IsLive(7); ++plies) {
    now += absl::Seconds(10);
    table_.Expire(now);
    table_.Renew(7, "w", plies, now, absl::ZeroDuration(), longest).IgnoreError();
    if (plies != 20) continue;
    EXPECT_TRUE(table_.Complete(7, 0, now).ok());
  }
  EXPECT_EQ(now, kStart + absl::Seconds(200) + longest) << "since its last game";
}

TEST_F(LeaseTableTest, ExpiresWhenItsWorkerDoesNotNameItForLong) {
  LeaseGrant grant = GrantOf(7, 2);
  grant.patience = absl::Seconds(30);
  ASSERT_TRUE(Grant(grant).ok());
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Seconds(30)));
  // Reported without progress: the worker is alive, and the deadline does not move.
  EXPECT_TRUE(table_.Renew(7, "w", 0, kStart + absl::Seconds(25)).ok());
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Seconds(55)));
  EXPECT_TRUE(table_.Renew(7, "w", 0, kStart + absl::Seconds(50)).ok());
  EXPECT_TRUE(table_.Renew(7, "w", 0, kStart + absl::Seconds(75)).ok());
  EXPECT_TRUE(ExpiresFirstAt(kStart + kTerm)) << "nothing was played";
  EXPECT_TRUE(table_.Complete(7, 0, kStart + absl::Seconds(80)).ok());
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Seconds(110))) << "a game names its lease";
  // A worker that is asked to call more seldom is given the time for it.
  EXPECT_TRUE(table_.Renew(7, "w", 0, kStart + absl::Seconds(81), absl::Seconds(60)).ok());
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Seconds(141)));
}

TEST_F(LeaseTableTest, AbandonsWhatAnotherProcessOfTheWorkerHeld) {
  const auto grant = [this](LeaseId lease, const std::string& worker, uint64_t process) {
    LeaseGrant added = GrantOf(lease, 2, worker);
    added.process = process;
    ASSERT_TRUE(Grant(added).ok());
  };
  grant(1, "w", 11);
  grant(2, "w", 12);
  grant(3, "w", 0);
  grant(4, "other", 11);
  const auto ended = table_.Abandon("w", 12);
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0].lease, 1u);
  EXPECT_EQ(ended[0].open.size(), 2u);
  EXPECT_EQ(ended[1].lease, 3u);
  EXPECT_TRUE(IsOver(1));
  EXPECT_TRUE(table_.IsLive(2));
  EXPECT_TRUE(table_.IsLive(4));
  EXPECT_EQ(table_.OpenSlotsOf("w"), 2u);
  EXPECT_TRUE(table_.Abandon("w", 12).empty());
  EXPECT_TRUE(table_.Abandon("nobody", 1).empty());
  // A game that the earlier process had finished is still welcome.
  const auto late = table_.Complete(1, 0, now_);
  ASSERT_TRUE(late.ok());
  EXPECT_TRUE(late->stale);
}

TEST_F(LeaseTableTest, NamesAgainWhatWasHandedOutToAProcess) {
  for (const LeaseId lease : {1, 2, 3, 4}) {
    LeaseGrant grant = GrantOf(lease, 2);
    grant.process = lease == 4 ? 12 : 11;
    ASSERT_TRUE(Grant(grant).ok());
    if (lease != 2) table_.MarkHandedOut(lease);
  }
  ASSERT_TRUE(table_.Complete(3, 0, now_).ok());
  auto again = table_.HandedOutAfter("w", 11, 0);
  ASSERT_EQ(again.size(), 2u) << "2 is not written yet, 4 is another's";
  EXPECT_EQ(again[0].lease, 1u);
  EXPECT_EQ(again[0].slots.size(), 2u);
  EXPECT_EQ(again[1].lease, 3u);
  ASSERT_EQ(again[1].slots.size(), 1u);
  EXPECT_EQ(again[1].slots[0].slot.slot, 1u);
  EXPECT_EQ(table_.HandedOutAfter("w", 11, 1).size(), 1u);
  EXPECT_TRUE(table_.HandedOutAfter("w", 11, 3).empty());
  EXPECT_TRUE(table_.HandedOutAfter("nobody", 11, 0).empty());
}

TEST_F(LeaseTableTest, RefusesToRenewWhatIsNotHeld) {
  Grant(7, 2);
  EXPECT_TRUE(absl::IsNotFound(table_.Renew(8, "w", 1, now_)));
  EXPECT_TRUE(absl::IsNotFound(table_.Renew(7, "other", 1, now_)));
  table_.Expire(kStart + kTerm);
  EXPECT_TRUE(absl::IsNotFound(table_.Renew(7, "w", 1, now_)));
}

TEST_F(LeaseTableTest, CompletesEachSlotOnceAndForgetsAFinishedLease) {
  Grant(7, 2);
  auto completion = table_.Complete(7, 0, kStart + absl::Seconds(60));
  ASSERT_TRUE(completion.ok());
  EXPECT_FALSE(completion->stale);
  EXPECT_FALSE(completion->finished);
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Seconds(60) + kTerm)) << "a game is progress";
  EXPECT_TRUE(table_.Find(7, 0)->filled);
  EXPECT_TRUE(absl::IsAlreadyExists(table_.Complete(7, 0, now_).status()));
  EXPECT_TRUE(absl::IsNotFound(table_.Complete(7, 2, now_).status()));
  EXPECT_TRUE(absl::IsNotFound(table_.Complete(9, 0, now_).status()));
  completion = table_.Complete(7, 1, now_);
  ASSERT_TRUE(completion.ok());
  EXPECT_TRUE(completion->finished);
  EXPECT_FALSE(table_.Find(7, 0));
  EXPECT_EQ(table_.LiveLeases(1), 0u);
  EXPECT_TRUE(NeverExpires());
}

TEST_F(LeaseTableTest, TakesALateGameWhileItsSlotIsEmpty) {
  Grant(7, 2);
  ASSERT_TRUE(table_.Complete(7, 0, now_).ok());
  ASSERT_EQ(table_.Expire(kStart + 2 * kTerm)[0].open.size(), 1u);
  EXPECT_FALSE(table_.IsLive(7));
  const auto completion = table_.Complete(7, 1, now_);
  ASSERT_TRUE(completion.ok());
  EXPECT_TRUE(completion->stale);
  EXPECT_TRUE(completion->finished);
  EXPECT_FALSE(table_.Find(7, 1));
}

TEST_F(LeaseTableTest, GivesBackToItsHolderOnly) {
  Grant(7, 3);
  ASSERT_TRUE(table_.Complete(7, 1, now_).ok());
  EXPECT_TRUE(absl::IsNotFound(table_.GiveBack(7, "other").status()));
  const auto ended = table_.GiveBack(7, "w");
  ASSERT_TRUE(ended.ok());
  ASSERT_EQ(ended->open.size(), 2u);
  EXPECT_EQ(ended->open[0].slot.slot, 0u);
  EXPECT_EQ(ended->open[1].slot.slot, 2u);
  EXPECT_TRUE(absl::IsNotFound(table_.GiveBack(7, "w").status()));
  EXPECT_TRUE(table_.Complete(7, 0, now_)->stale);
}

TEST_F(LeaseTableTest, RevokesTheLeasesOfOneRun) {
  Grant(1, 1, "w", 1);
  Grant(2, 1, "w", 2);
  Grant(3, 1, "v", 1);
  EXPECT_EQ(table_.Revoke(1).size(), 2u);
  EXPECT_TRUE(table_.IsLive(2));
  EXPECT_TRUE(IsOver(1));
  EXPECT_EQ(table_.OpenSlotsOf("w"), 1u);
  EXPECT_EQ(table_.OpenSlotsOf("v"), 0u);
}

TEST_F(LeaseTableTest, RevokesTheLeasesOfOneWorker) {
  Grant(1, 1, "w", 1);
  Grant(2, 1, "w", 2);
  Grant(3, 1, "v", 1);
  EXPECT_EQ(table_.RevokeWorker("w").size(), 2u);
  EXPECT_TRUE(IsOver(1));
  EXPECT_TRUE(IsOver(2));
  EXPECT_TRUE(table_.IsLive(3));
  EXPECT_EQ(table_.RevokeWorker("w").size(), 0u);
}

TEST_F(LeaseTableTest, CancelLeavesNoTrace) {
  Grant(7, 2);
  table_.Cancel(7);
  EXPECT_FALSE(table_.Find(7, 0));
  EXPECT_EQ(table_.OpenSlots(1), 0u);
  EXPECT_TRUE(NeverExpires());
  EXPECT_TRUE(Grant(GrantOf(7, 1)).ok());
}

TEST_F(LeaseTableTest, RestoresALiveLeaseWithAFullTerm) {
  const absl::Time later = kStart + absl::Hours(5);
  ASSERT_TRUE(table_.Restore(GrantOf(7, 3), LeaseState::kLive, {1}, later).ok());
  EXPECT_TRUE(ExpiresFirstAt(later + kTerm));
  EXPECT_EQ(table_.OpenSlots(1), 2u);
  EXPECT_TRUE(table_.Find(7, 1)->filled);
}

TEST_F(LeaseTableTest, RestoresALeaseThatIsOverForItsLateGames) {
  ASSERT_TRUE(table_.Restore(GrantOf(7, 2), LeaseState::kExpired, {0}, now_).ok());
  EXPECT_EQ(table_.LiveLeases(1), 0u);
  EXPECT_TRUE(NeverExpires());
  EXPECT_TRUE(table_.Complete(7, 1, now_)->stale);
}

TEST_F(LeaseTableTest, PutsAwayTheOldestOfManyThatAreOver) {
  ASSERT_TRUE(table_.Restore(GrantOf(1, 2), LeaseState::kExpired, {0}, now_).ok());
  Grant(2, 2);
  Grant(3, 1);
  ASSERT_TRUE(table_.Complete(3, 0, now_).ok());
  for (LeaseId lease = 10; lease < 10 + LeaseTable::kMostEnded; ++lease) Grant(lease, 2, "o", 2);
  EXPECT_EQ(table_.Revoke(2).size(), LeaseTable::kMostEnded);
  EXPECT_TRUE(table_.IsPutAway(1));
  EXPECT_TRUE(IsOver(1)) << "its worker is told to abandon it";
  EXPECT_FALSE(table_.Find(1, 1));
  EXPECT_TRUE(absl::IsNotFound(table_.Complete(1, 1, now_).status()));
  EXPECT_TRUE(absl::IsAlreadyExists(Grant(GrantOf(1, 1))));
  EXPECT_TRUE(table_.IsLive(2)) << "a live one stays";
  EXPECT_FALSE(table_.IsPutAway(3)) << "it has all its games";
  EXPECT_TRUE(table_.Find(10, 1));
  ASSERT_TRUE(table_.GiveBack(2, "w").ok());
  EXPECT_TRUE(table_.IsPutAway(10));
  EXPECT_TRUE(table_.Find(2, 1));
}

TEST_F(LeaseTableTest, RestoresNothingOfAFilledLease) {
  ASSERT_TRUE(table_.Restore(GrantOf(7, 2), LeaseState::kLive, {0, 1}, now_).ok());
  EXPECT_FALSE(table_.Find(7, 0));
  EXPECT_EQ(table_.LiveLeases(1), 0u);
}

TEST_F(LeaseTableTest, RenewsAllAfterAnOutage) {
  Grant(7, 1);
  Grant(8, 1);
  ASSERT_TRUE(table_.GiveBack(8, "w").ok());
  table_.RenewAll(kStart + absl::Hours(1));
  EXPECT_TRUE(table_.Expire(kStart + absl::Hours(1)).empty());
  EXPECT_TRUE(ExpiresFirstAt(kStart + absl::Hours(1) + kTerm));
}

TEST_F(LeaseTableTest, KnowsTheLongestStepThatAWorkerHasInHand) {
  for (const LeaseId lease : {1, 2}) {
    LeaseGrant grant = GrantOf(lease, 1);
    grant.step = absl::Seconds(100 * lease);
    ASSERT_TRUE(Grant(std::move(grant)).ok());
  }
  EXPECT_EQ(table_.LongestStepOf("w"), absl::Seconds(200));
  EXPECT_EQ(table_.LongestStepOf("v"), absl::ZeroDuration());
  ASSERT_TRUE(table_.Complete(2, 0, now_).ok());
  EXPECT_EQ(table_.LongestStepOf("w"), absl::Seconds(100));
}

}  // namespace
}  // namespace joseki::coordinator
