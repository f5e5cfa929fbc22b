// The calls of workers.
#include "gtest/gtest.h"
#include "tests/coordinator/services/services_fixture.h"

namespace joseki::coordinator {
namespace {

TEST_F(ServicesTest, AWorkerJoinsPlaysAndLeaves) {
  const uint64_t run = CreateRun();
  const v1::JoinResponse session = Join();
  EXPECT_GT(session.session(), 0u);
  EXPECT_FALSE(session.epoch().empty());
  EXPECT_GT(session.beat_seconds(), 0u);
  EXPECT_GT(session.wait_seconds(), 0u);

  const v1::AcquireResponse work = Acquire(session.session());
  ASSERT_GT(work.leases_size(), 0);
  EXPECT_EQ(work.leases(0).run(), run);
  ASSERT_EQ(work.runs_size(), 1);
  EXPECT_EQ(work.runs(0).play().nodes(), 10u);

  v1::BeatRequest beat;
  beat.set_session(session.session());
  beat.add_leases()->set_lease(work.leases(0).lease());
  v1::BeatResponse beaten;
  EXPECT_EQ(Call(*workers_, &v1::WorkerService::Stub::Beat, beat, beaten), absl::OkStatus());
  EXPECT_EQ(beaten.cancelled_size(), 0);

  const v1::SubmitRequest games = Played(session, work);
  v1::SubmitResponse verdicts;
  ASSERT_EQ(Call(*workers_, &v1::WorkerService::Stub::Submit, games, verdicts), absl::OkStatus());
  ASSERT_EQ(verdicts.verdicts_size(), games.games_size());
  for (const v1::GameVerdict& verdict : verdicts.verdicts()) {
    EXPECT_EQ(verdict.verdict(), v1::VERDICT_ACCEPTED) << verdict.reason();
  }
  ASSERT_EQ(Call(*workers_, &v1::WorkerService::Stub::Submit, games, verdicts), absl::OkStatus());
  EXPECT_EQ(verdicts.verdicts(0).verdict(), v1::VERDICT_DUPLICATE);
  EXPECT_EQ(Status().runs(0).games_done(), static_cast<uint64_t>(games.games_size()));

  const v1::AcquireResponse more = Acquire(session.session());
  ASSERT_GT(more.leases_size(), 0);
  v1::LeaveRequest leave;
  leave.set_session(session.session());
  v1::SlotRef& unplayed = *leave.add_unplayed();
  unplayed.set_lease(more.leases(0).lease());
  unplayed.set_slot(more.leases(0).slots(0).slot());
  v1::LeaveResponse left;
  EXPECT_EQ(Call(*workers_, &v1::WorkerService::Stub::Leave, leave, left), absl::OkStatus());
  v1::AcquireResponse none;
  ExpectProblem(
      Call(*workers_, &v1::WorkerService::Stub::Acquire, AcquireRequestOf(session.session()), none),
      absl::StatusCode::kFailedPrecondition, "unknown_session");
}

TEST_F(ServicesTest, AStrangeWorkerIsRefused) {
  v1::JoinRequest other_protocol = JoinRequestOf("w");
  other_protocol.set_protocol(2);
  v1::JoinResponse joined;
  ExpectProblem(Call(*workers_, &v1::WorkerService::Stub::Join, other_protocol, joined),
                absl::StatusCode::kFailedPrecondition, "protocol");
  v1::AcquireResponse work;
  ExpectProblem(Call(*workers_, &v1::WorkerService::Stub::Acquire, AcquireRequestOf(999), work),
                absl::StatusCode::kFailedPrecondition, "unknown_session");
  v1::BeatRequest beat;
  beat.set_session(999);
  v1::BeatResponse beaten;
  ExpectProblem(Call(*workers_, &v1::WorkerService::Stub::Beat, beat, beaten),
                absl::StatusCode::kFailedPrecondition, "unknown_session");
  v1::SubmitRequest submit;
  submit.set_session(999);
  v1::SubmitResponse verdicts;
  ExpectProblem(Call(*workers_, &v1::WorkerService::Stub::Submit, submit, verdicts),
                absl::StatusCode::kFailedPrecondition, "unknown_session");
}

TEST_F(ServicesTest, BadFieldsOfWorkersAreNamed) {
  v1::JoinRequest join = JoinRequestOf("a b");
  v1::JoinResponse joined;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Join, join, joined), "worker");
  v1::AcquireRequest acquire = AcquireRequestOf(1);
  acquire.set_want_slots(0);
  v1::AcquireResponse work;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Acquire, acquire, work), "want_slots");
  v1::SubmitRequest submit;
  submit.add_games()->set_moves("odd");
  v1::SubmitResponse verdicts;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Submit, submit, verdicts),
                 "games[0].moves");
  v1::BeatRequest beat;
  while (beat.leases_size() <= 1024) beat.add_leases();
  v1::BeatResponse beaten;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Beat, beat, beaten), "leases");
  v1::LeaveRequest leave;
  leave.add_unplayed()->set_slot(1u << 31);
  v1::LeaveResponse left;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Leave, leave, left), "unplayed[0].slot");
}

}  // namespace
}  // namespace joseki::coordinator
