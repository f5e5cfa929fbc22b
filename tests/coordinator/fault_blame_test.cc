// Faults are charged to their workers first. A worker that breaks games that others can play does
// not end a run, and its effects on the run are removed with it.

#include <string>
#include <vector>

#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/stepped_fixture.h"

namespace joseki::coordinator {
namespace {

using testing::FaultOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::ToySpec;

class FaultBlameTest : public SteppedTest {
 protected:
  // Takes slots and breaks all of them; how many it got.
  uint32_t Break(SteppedWorker& worker, uint32_t want = 4,
                 Termination termination = Termination::kIllegalMove) {
    const auto work = worker.Acquire(want);
    if (!work.ok()) return 0;
    for (const Lease& lease : work->leases) {
      std::vector<SubmittedGame> faults;
      for (const Slot& slot : lease.slots) {
        faults.push_back(FaultOf(lease.run, lease.lease, slot, termination));
      }
      EXPECT_TRUE(worker.Submit(faults).ok());
    }
    return SlotsOf(*work);
  }
  uint32_t PlaySome(SteppedWorker& worker, uint32_t want = 4) {
    const auto work = worker.Acquire(want);
    for (const Lease& lease : work->leases) EXPECT_TRUE(worker.Submit(Play(lease)).ok());
    return SlotsOf(*work);
  }
  WorkerStatus WorkerOf(const std::string& name) {
    for (const WorkerStatus& worker : coordinator_->readers().GetStatus(0).workers) {
      if (worker.worker == name) return worker;
    }
    return {};
  }
};

TEST_F(FaultBlameTest, AWorkerThatBreaksEverythingGetsNoMoreAndTheRunGoesOn) {
  Start();
  const RunId run = Create(ToySpec(200));
  SteppedWorker good = Of("good").Join();
  SteppedWorker bad = Of("bad").Join();
  for (int i = 0; i < 10; ++i) PlaySome(good);
  uint32_t broken = 0;
  for (int i = 0; i < 1000; ++i) broken += Break(bad);
  EXPECT_GE(broken, 24u);
  EXPECT_LT(broken, 64u) << "and then it got no more";
  EXPECT_EQ(WorkerOf("bad").state, "faulty");
  EXPECT_THAT(WorkerOf("bad").reason, HasSubstr("it broke"));
  EXPECT_EQ(StatusOf(run).poisoned_lines, 0u);
  for (int i = 0; i < 200 && StatusOf(run).state == "running"; ++i) PlaySome(good);
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_EQ(StatusOf(run).games_done, 200u);
  EXPECT_EQ(CleanlyAuditedGames(), 200u + broken);
}

TEST_F(FaultBlameTest, ALoneWorkerWithABrokenEngineGetsNoMoreAndTheRunWaits) {
  Start();
  const RunId run = Create(ToySpec(200));
  SteppedWorker bad = Of("bad").Join();
  uint32_t broken = 0;
  for (int i = 0; i < 1000; ++i) broken += Break(bad, 4, Termination::kCrash);
  EXPECT_LT(broken, 64u) << "nothing is tried for ever";
  RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "running");
  EXPECT_THAT(status.not_served, HasSubstr("1 worker lacks a sound engine: it broke 24 of its last "
                                           "24 games and searches, the last by: "));
  EXPECT_EQ(status.quarantined, 0u);
  EXPECT_EQ(Break(Of("bad").Join()), 0u) << "the same process";
  // Whoever mends the engine starts the worker again.
  SteppedWorker mended = Of("bad", /*process=*/2).Join();
  EXPECT_EQ(WorkerOf("bad").state, "active");
  EXPECT_GT(PlaySome(mended), 0u);
  for (int i = 0; i < 1000; ++i) Break(mended, 4, Termination::kCrash);
  EXPECT_EQ(WorkerOf("bad").state, "faulty");
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("bad", /*keep_games_out=*/true).ok());
  EXPECT_GT(PlaySome(mended), 0u);
  EXPECT_FALSE(coordinator_->operators().UnblockWorker("bad", /*keep_games_out=*/true).ok());
  Start();
  Wait(absl::Minutes(20));  // for slots of a call that was held until the worker was unblocked
  SteppedWorker good = Of("good").Join();
  for (int i = 0; i < 200 && StatusOf(run).state == "running"; ++i) PlaySome(good);
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_EQ(StatusOf(run).games_excluded, 0u) << "what it had played counts";
}

TEST_F(FaultBlameTest, ALineThatCrashesEveryEngineIsLeftOutAfterThreeWorkers) {
  Start();
  RunSpec spec = ToySpec(100);
  spec.deviation = 0;
  const RunId run = Create(spec);
  std::vector<SteppedWorker> workers;
  for (const char* const name : {"a", "b", "c"}) workers.push_back(Of(name).Join());
  std::vector<Move> bad;
  for (int i = 0; i < 200 && StatusOf(run).state == "running"; ++i) {
    SteppedWorker& worker = workers[static_cast<size_t>(i) % 3];
    const auto work = worker.Acquire(1);
    for (const Lease& lease : work->leases) {
      if (bad.empty()) bad = lease.slots[0].line;
      std::vector<SubmittedGame> games = Play(lease);
      if (lease.slots[0].line == bad) games = {FaultOf(lease.run, lease.lease, lease.slots[0])};
      ASSERT_TRUE(worker.Submit(games).ok());
    }
  }
  RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  ASSERT_THAT(status.poisoned, SizeIs(1));
  EXPECT_EQ(status.poisoned[0].line, bad);
  EXPECT_EQ(status.faults, 3u);
}

// The status of a run with nothing left to play, and how an operator resumes it.
TEST_F(FaultBlameTest, ARunWithoutALineWaitsUntilTheyAreFreed) {
  Start();
  RunSpec spec = ToySpec(100'000);
  spec.deviation = 0;
  const RunId run = Create(spec);
  for (int round = 0; round < 40; ++round) {
    for (const char* const name : {"a", "b", "c"}) {
      SteppedWorker worker = Of(name).Join();
      Break(worker, 8);
    }
  }
  RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "running");
  EXPECT_THAT(status.reason, HasSubstr("every line has failed"));
  EXPECT_GT(status.poisoned_lines, 0u);
  SteppedWorker good = Of("good").Join();
  EXPECT_EQ(PlaySome(good), 0u);
  const std::vector<Move> one = status.poisoned.at(0).line;
  EXPECT_EQ(coordinator_->operators().FreeLines(run, one).value(), 1u);
  EXPECT_EQ(ProblemOf(coordinator_->operators().FreeLines(run, one).status()).code,
            "line_not_left_out");
  EXPECT_EQ(ProblemOf(coordinator_->operators().FreeLines(99, one).status()).code, "unknown_run");
  Start();
  EXPECT_EQ(StatusOf(run).poisoned_lines, status.poisoned_lines - 1);
  EXPECT_EQ(coordinator_->operators().FreeLines(run, {}).value(), status.poisoned_lines - 1);
  Start();
  EXPECT_EQ(StatusOf(run).poisoned_lines, 0u);
  EXPECT_EQ(StatusOf(run).reason, "");
  SteppedWorker again = Of("good").Join();
  EXPECT_GT(PlaySome(again), 0u);
}

// Failed requests of one run cost no other run its workers.
TEST_F(FaultBlameTest, AWorkerWithoutMemoryForOneRunPlaysTheOthers) {
  Start();
  const RunId large = Create(ToySpec(2000));
  const RunId small = Create(ToySpec(100));
  SteppedWorker poor = Of("poor").Join();
  int asked = 0;
  for (int i = 0; i < 200 && StatusOf(small).state == "running"; ++i) {
    const auto work = poor.Acquire(4);
    for (const Lease& lease : work->leases) {
      std::vector<SubmittedGame> games = Play(lease);
      if (lease.run == large) {
        ++asked;
        games = {FaultOf(lease.run, lease.lease, lease.slots[0], Termination::kInterrupted)};
        games[0].fault = "cannot play: hash_mb: no_memory";
      }
      ASSERT_TRUE(poor.Submit(games).ok());
    }
  }
  EXPECT_EQ(StatusOf(small).state, "done");
  EXPECT_LE(asked, 2);
  EXPECT_EQ(WorkerOf("poor").state, "active");
  EXPECT_THAT(WorkerOf("poor").reason, HasSubstr("no_memory"));
  EXPECT_THAT(StatusOf(large).not_served, HasSubstr("1 worker lacks memory"));
  EXPECT_EQ(StatusOf(large).leases, 0u);
  EXPECT_EQ(StatusOf(large).poisoned_lines, 0u);
  SteppedWorker rich = Of("rich").Join();
  EXPECT_GT(PlaySome(rich), 0u);
  // A new process of the worker, perhaps on a larger machine, is asked again.
  SteppedWorker again = Of("poor", /*process=*/2).Join();
  EXPECT_GT(PlaySome(again), 0u);
}

// Its line is not to blame, so the same slot would come back to it without end.
TEST_F(FaultBlameTest, WhoReturnsASlotAsInterruptedGetsNoMoreOfTheRun) {
  Start();
  const RunId run = Create(ToySpec(100));
  SteppedWorker other_build = Of("w").Join();
  const std::vector<Lease> leases = other_build.LeasesOf(1);
  ASSERT_EQ(leases.size(), 1u);
  SubmittedGame refused =
      FaultOf(run, leases[0].lease, leases[0].slots[0], Termination::kInterrupted);
  refused.fault = "line refused: illegal move";
  ASSERT_TRUE(other_build.Submit({refused}).ok());
  EXPECT_THAT(other_build.LeasesOf(4), IsEmpty());
  EXPECT_THAT(WorkerOf("w").reason, HasSubstr("line refused"));
  SteppedWorker good = Of("good").Join();
  EXPECT_GT(PlaySome(good), 0u);
}

TEST_F(FaultBlameTest, BlockingAWorkerFreesWhatItHelpedToPoison) {
  Start();
  RunSpec spec = ToySpec(1000);
  const RunId run = Create(spec);
  for (const char* const name : {"a", "b", "c"}) {
    SteppedWorker worker = Of(name).Join();
    ASSERT_EQ(Break(worker, 1), 1u);
  }
  ASSERT_EQ(StatusOf(run).poisoned_lines, 1u);
  ASSERT_TRUE(coordinator_->operators().BlockWorker("b", "", /*unseen=*/false).ok());
  coordinator_->Step();
  EXPECT_EQ(StatusOf(run).poisoned_lines, 0u);
  Start();
  EXPECT_EQ(StatusOf(run).poisoned_lines, 0u);
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("b", false).ok());
  coordinator_->Step();
  EXPECT_EQ(StatusOf(run).poisoned_lines, 1u);
}

TEST_F(FaultBlameTest, UnblockingAFaultyWorkerBringsItsEarlierGamesBack) {
  Start();
  const RunId run = Create(ToySpec(1000));
  SteppedWorker worker = Of("w").Join();
  ASSERT_GT(PlaySome(worker), 0u);
  OperatorCalls& operators = coordinator_->operators();
  ASSERT_TRUE(operators.BlockWorker("w", "", /*unseen=*/false).ok());
  ASSERT_TRUE(operators.UnblockWorker("w", /*keep_games_out=*/true).ok());
  for (int i = 0; i < 1000; ++i) Break(worker, 4, Termination::kCrash);
  EXPECT_EQ(WorkerOf("w").state, "faulty");
  EXPECT_GT(StatusOf(run).games_excluded, 0u);
  ASSERT_TRUE(operators.UnblockWorker("w", /*keep_games_out=*/false).ok());
  coordinator_->Step();
  EXPECT_EQ(WorkerOf("w").state, "active");
  EXPECT_EQ(StatusOf(run).games_excluded, 0u);
}

TEST_F(FaultBlameTest, BlockingAWorkerThatNeverWasFailsByName) {
  Start();
  EXPECT_EQ(
      ProblemOf(coordinator_->operators().BlockWorker("ghost", "", /*unseen=*/false).status()).code,
      "unknown_worker");
  EXPECT_TRUE(coordinator_->operators().BlockWorker("ghost", "", /*unseen=*/true).ok());
  { SteppedWorker worker = Of("w").Join(); }
  Start();
  EXPECT_TRUE(coordinator_->operators().BlockWorker("w", "", /*unseen=*/false).ok())
      << "it was here before the restart";
}

}  // namespace
}  // namespace joseki::coordinator
