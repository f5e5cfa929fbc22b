// Workers that are started again, follow one another, or come too late: over the whole coordinator.

#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/limits.h"
#include "tests/coordinator/stepped_fixture.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ToySpec;

class WorkerSessionsTest : public SteppedTest {};

TEST_F(WorkerSessionsTest, AWorkerThatIsStartedAgainHoldsNothingAnyMore) {
  Start();
  const RunId run = Create(ToySpec(4));
  SteppedWorker killed = Of("w", 1).Join();
  const auto held = killed.Acquire(4);
  ASSERT_EQ(SlotsOf(*held), 4u);
  SteppedWorker other = Of("other").Join();
  const SteppedWorker::Held waiting = other.AcquireLater(4);
  coordinator_->Step();
  ASSERT_FALSE(waiting->has_value());

  SteppedWorker again = Of("w", 2).Join();
  coordinator_->Step();
  ASSERT_TRUE(waiting->has_value()) << "no lease had to run out for this";
  const AcquireOutput work = *waiting->value();
  EXPECT_EQ(SlotsOf(work), 1u) << "two workers share what is left";
  EXPECT_EQ(work.leases[0].slots[0].line, held->leases[0].slots[0].line);
  EXPECT_NE(work.leases[0].slots[0].seed, held->leases[0].slots[0].seed);
  EXPECT_EQ(ProblemOf(killed.Beat().status()).code, "unknown_session");

  // A game spooled by the killed process counts like any other.
  const auto late = again.Submit({Play(held->leases[0])[3]});
  ASSERT_TRUE(late.ok());
  EXPECT_EQ(late->verdicts[0].verdict, Verdict::kStaleAccepted);
  EXPECT_EQ(StatusOf(run).stale_accepted, 1u);
  const auto rest = again.Acquire(4);
  EXPECT_EQ(SlotsOf(*rest), 1u) << "one of two that are left";
}

TEST_F(WorkerSessionsTest, AGameOfALeaseThatEndedLongAgoCountsOnce) {
  Start({}, /*slots_per_lease=*/1);
  const RunId run = Create(ToySpec(100'000));
  SteppedWorker killed = Of("w", 1);
  killed.introduction.seats = kMaxSlotsPerWorker;
  const std::vector<Lease> held = killed.Join().LeasesOf(kMaxSlotsPerWorker);
  ASSERT_GT(held.size(), LeaseTable::kMostEnded + 2);
  SteppedWorker again = Of("w", 2).Join();
  EXPECT_THAT(again.Beat({{held[0].lease, 0}})->cancelled, ElementsAre(held[0].lease));
  for (const Verdict verdict : {Verdict::kStaleAccepted, Verdict::kDuplicate}) {
    EXPECT_EQ(again.Submit(Play(held[0]))->verdicts.at(0).verdict, verdict);
  }
  SteppedWorker other = Of("other").Join();
  EXPECT_EQ(other.Submit(Play(held[1]))->verdicts.at(0).verdict, Verdict::kRejected);
  Start();
  SteppedWorker back = Of("w", 2).Join();
  EXPECT_EQ(back.Submit(Play(held[1]))->verdicts.at(0).verdict, Verdict::kStaleAccepted);
  EXPECT_EQ(StatusOf(run).stale_accepted, 2u);
  EXPECT_EQ(CleanlyAuditedGames(), 2u);
}

TEST_F(WorkerSessionsTest, EveryWorkerThatCannotServeARunIsCounted) {
  Start();
  const RunId run = Create(ToySpec(100));
  for (int i = 0; i < 150; ++i) {
    SteppedWorker worker = Of(absl::StrCat("w", i));
    worker.introduction.engines[0].id = "another";
    worker.Join();
  }
  EXPECT_EQ(StatusOf(run).not_served, "150 workers lack the engine toy-engine");
}

TEST_F(WorkerSessionsTest, TheSameProcessKeepsItsLeasesWhenItJoinsAgain) {
  Start();
  Create(ToySpec(100));
  SteppedWorker worker = Of("w", 7).Join();
  const Lease lease = worker.Acquire(2)->leases.at(0);
  worker.Join();
  EXPECT_THAT(worker.Beat({{lease.lease, 0}})->cancelled, IsEmpty());
  // The coordinator also remembers who owns them.
  Start();
  SteppedWorker joined = Of("w", 7).Join();
  EXPECT_THAT(joined.Beat({{lease.lease, 0}})->cancelled, IsEmpty());
  const auto verdicts = joined.Submit(Play(lease));
  EXPECT_EQ(verdicts->verdicts.at(0).verdict, Verdict::kAccepted);
}

TEST_F(WorkerSessionsTest, AWorkerThatIsStartedAgainWithItsCoordinatorHoldsNothingEither) {
  Start();
  const RunId run = Create(ToySpec(100));
  Of("w", 7).Join().Acquire(4).status().IgnoreError();
  EXPECT_EQ(StatusOf(run).slots_in_flight, 4u);
  Start();
  EXPECT_EQ(StatusOf(run).slots_in_flight, 4u);
  Of("w", 8).Join();
  EXPECT_EQ(StatusOf(run).slots_in_flight, 0u);
  Start();
  EXPECT_EQ(StatusOf(run).slots_in_flight, 0u) << "it was written";
}

// Two nodes have the same name by mistake: one goes on working, the other gets an error.
TEST_F(WorkerSessionsTest, ASecondWorkerOfOneNameIsRefusedOnceTheFirstIsSeenAlive) {
  Start();
  Create(ToySpec(100));
  SteppedWorker first = Of("w", 1);
  first.introduction.instance = 10;
  first.Join();
  const Lease lease = first.Acquire(2)->leases.at(0);
  SteppedWorker second = Of("w", 2);
  second.introduction.instance = 20;
  clock_.Advance(absl::Seconds(1));
  const absl::Status not_sure = second.TryJoin();
  EXPECT_EQ(not_sure.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ProblemOf(not_sure).code, "name_in_use");
  EXPECT_TRUE(RetryAfterOf(not_sure).has_value());
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(second.TryJoin().code(), absl::StatusCode::kUnavailable) << "nothing new is known";

  clock_.Advance(absl::Seconds(1));
  EXPECT_THAT(first.Beat({{lease.lease, 1}})->cancelled, IsEmpty());
  const absl::Status refused = second.TryJoin();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition) << refused;
  EXPECT_EQ(ProblemOf(refused).code, "name_in_use");
  EXPECT_THAT(ProblemOf(refused).expected, HasSubstr("--name"));
  // The first one has lost nothing, and its restart takes over at once.
  EXPECT_EQ(first.Submit(Play(lease))->verdicts.at(0).verdict, Verdict::kAccepted);
  SteppedWorker restarted = Of("w", 3);
  restarted.introduction.instance = 10;
  EXPECT_TRUE(restarted.TryJoin().ok());
}

TEST_F(WorkerSessionsTest, AWorkerThatMovedGetsItsNameOnceTheOldOneIsSilent) {
  Start();
  SteppedWorker gone = Of("w", 1);
  gone.introduction.instance = 10;
  gone.Join();
  SteppedWorker moved = Of("w", 2);
  moved.introduction.instance = 20;
  absl::Duration waited;
  for (absl::Status status = moved.TryJoin(); !status.ok(); status = moved.TryJoin()) {
    ASSERT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
    const absl::Duration wait = RetryAfterOf(status).value();
    waited += wait;
    ASSERT_LT(waited, absl::Minutes(5));
    clock_.Advance(wait);
  }
  EXPECT_GT(waited, absl::Seconds(30));
  // If it was still alive after all, it gets the error when it returns.
  EXPECT_EQ(ProblemOf(gone.TryJoin()).code, "name_in_use");
}

// A copied spool folder: two processes that take turns.
TEST_F(WorkerSessionsTest, AProcessThatWasFollowedDoesNotComeBack) {
  Start();
  Create(ToySpec(100));
  SteppedWorker first = Of("w", 1).Join();
  SteppedWorker second = Of("w", 2).Join();
  const Lease lease = second.Acquire(2)->leases.at(0);
  EXPECT_EQ(ProblemOf(first.Beat().status()).code, "unknown_session");
  const absl::Status refused = first.TryJoin();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ProblemOf(refused).code, "name_in_use");
  EXPECT_THAT(second.Beat({{lease.lease, 0}})->cancelled, IsEmpty());
}

// The Join of a process that was killed comes after that of the process which followed it.
TEST_F(WorkerSessionsTest, ALateJoinShutsNobodyOut) {
  Start();
  Create(ToySpec(100));
  SteppedWorker living = Of("w", 2).Join();
  Of("w", 1).Join();
  EXPECT_EQ(ProblemOf(living.Beat().status()).code, "unknown_session");
  absl::Duration waited;
  for (absl::Status status = living.TryJoin(); !status.ok(); status = living.TryJoin()) {
    ASSERT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
    const absl::Duration wait = RetryAfterOf(status).value();
    waited += wait;
    ASSERT_LT(waited, absl::Minutes(5));
    clock_.Advance(wait);
  }
}

}  // namespace
}  // namespace joseki::coordinator
