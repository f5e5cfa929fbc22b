#include "worker/loop/slot_requests.h"

#include <memory>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr size_t kSeats = 8;

class SlotRequestsTest : public ::testing::Test {
 protected:
  SlotRequestsTest() { requests_.Enter("one"); }

  // A reply with one lease of run 1, and the run itself.
  static AcquireOutput Reply(LeaseId number, uint32_t slots) {
    AcquireOutput reply;
    Lease& lease = reply.leases.emplace_back();
    lease.lease = number;
    lease.run = 1;
    lease.slots.resize(slots);
    reply.runs.try_emplace(1);
    return reply;
  }
  // Requests and gets this many slots.
  void Get(LeaseId number, uint32_t slots) {
    requests_.Open(now_);
    requests_.Take("one", Reply(number, slots), /*play=*/true, now_);
    requests_.Close();
  }

  absl::Time now_ = absl::UnixEpoch();
  HeldLeases leases_;
  SlotRequests requests_{kSeats, leases_};
};

TEST_F(SlotRequestsTest, AsksForAllSeatsAndAQuarterAhead) {
  const AcquireInput input = requests_.Open(now_);
  EXPECT_EQ(input.want_slots, kSeats + 2);
  EXPECT_EQ(input.after_lease, 0u);
  EXPECT_THAT(input.known_runs, IsEmpty());
}

TEST_F(SlotRequestsTest, MakesOneRequestAtATime) {
  EXPECT_GT(requests_.Open(now_).want_slots, 0u);
  EXPECT_EQ(requests_.Open(now_).want_slots, 0u);
  requests_.Close();
  EXPECT_GT(requests_.Open(now_).want_slots, 0u);
}

TEST_F(SlotRequestsTest, AsksAgainWhenHalfOfThoseAheadAreGone) {
  AcquireOutput reply = Reply(1, kSeats + 4);
  reply.ahead = 4;
  requests_.Take("one", std::move(reply), /*play=*/true, now_);
  for (const size_t wanted : {0u, 2u, 3u}) {
    leases_.Done(*leases_.Next(), /*played=*/true);
    EXPECT_EQ(requests_.Wanted(), wanted);
  }
}

TEST_F(SlotRequestsTest, KeepsAsManyAheadAsTheCoordinatorSays) {
  AcquireOutput reply = Reply(1, 1);
  reply.ahead = 20;
  requests_.Take("one", std::move(reply), /*play=*/true, now_);
  EXPECT_EQ(requests_.Wanted(), kSeats + 20 - 1);
}

TEST_F(SlotRequestsTest, NamesWhatItHasReceived) {
  Get(5, 1);
  const AcquireInput input = requests_.Open(now_);
  EXPECT_EQ(input.after_lease, 5u);
  EXPECT_THAT(input.known_runs, ElementsAre(1));
}

TEST_F(SlotRequestsTest, DropsEverythingOfAnotherDatabase) {
  Get(5, 1);
  requests_.Enter("one");
  EXPECT_EQ(leases_.waiting(), 1u) << "a new session alone changes nothing";
  requests_.Enter("two");
  EXPECT_EQ(leases_.waiting(), 0u);
  EXPECT_THAT(requests_.Take("one", Reply(6, 1), /*play=*/true, now_), IsEmpty());
  EXPECT_EQ(leases_.waiting(), 0u) << "the reply came too late";
  const AcquireInput input = requests_.Open(now_);
  EXPECT_EQ(input.after_lease, 0u);
  EXPECT_THAT(input.known_runs, IsEmpty());
}

TEST_F(SlotRequestsTest, GivesBackLeasesOfUnknownRunsAndThoseNotToBePlayed) {
  AcquireOutput unknown = Reply(5, 2);
  unknown.runs.clear();
  EXPECT_THAT(requests_.Take("one", std::move(unknown), /*play=*/true, now_), ElementsAre(5));
  EXPECT_THAT(requests_.Take("one", Reply(6, 3), /*play=*/false, now_), IsEmpty());
  EXPECT_EQ(leases_.waiting(), 0u);
  EXPECT_THAT(leases_.TakeUnplayed(), SizeIs(2 + 3));
  EXPECT_EQ(requests_.Open(now_).after_lease, 6u);
}

TEST_F(SlotRequestsTest, IsIdleWithoutALease) {
  requests_.NoteWork(now_);
  now_ += absl::Seconds(3);
  EXPECT_EQ(requests_.IdleFor(now_), absl::Seconds(3));
  EXPECT_EQ(requests_.WaitsFor(now_), absl::ZeroDuration()) << "no request is open";
  requests_.Open(now_);
  now_ += absl::Seconds(2);
  EXPECT_EQ(requests_.IdleFor(now_), absl::Seconds(5));
  EXPECT_EQ(requests_.WaitsFor(now_), absl::Seconds(2));
  requests_.Take("one", Reply(1, 1), /*play=*/true, now_);
  now_ += absl::Seconds(1);
  EXPECT_EQ(requests_.IdleFor(now_), absl::ZeroDuration());
  EXPECT_EQ(requests_.WaitsFor(now_), absl::ZeroDuration());
  leases_.Done(*leases_.Next(), /*played=*/true);
  requests_.NoteWork(now_);
  now_ += absl::Seconds(1);
  EXPECT_EQ(requests_.WaitsFor(now_), absl::Seconds(1)) << "since the game, not the request";
}

}  // namespace
}  // namespace joseki::worker
