// Runs from their creation to their end: leases, games, faults, drains.

#include <atomic>
#include <future>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/problem.h"
#include "book/database/store.h"
#include "coordinator/offline/audit.h"
#include "coordinator/runs/run_load.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/coordinator_fixture.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using testing::FaultOf;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::ToySpec;

TEST_F(CoordinatorTest, PlaysARunToItsEnd) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(50));
  CallingWorker worker = Joined("w1");
  EXPECT_EQ(worker.Work(), 50);
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.games_done, 50u);
  EXPECT_EQ(status.duplicates, 50u);
  EXPECT_EQ(status.slots_in_flight, 0u);
  EXPECT_EQ(coordinator_->readers().GetStatus(0).workers.at(0).games, 50u);
  const auto position = coordinator_->readers().GetPosition(run, "");
  ASSERT_TRUE(position.ok()) << position.status();
  uint32_t games = 0;
  for (const MoveEvidence& move : position->moves) {
    games += move.evidence.games();
    EXPECT_LE(move.score_low, move.score_high);
    EXPECT_EQ(move.in_flight, 0u);
  }
  EXPECT_GT(games, 40u) << "all but those that deviated at once";
  EXPECT_EQ(position->commit_seq, 50u);
  coordinator_.reset();
  ExpectCleanAudit(50);
}

TEST_F(CoordinatorTest, ALargeReplyIsPlannedInTurnsAndComesWhole) {
  Start();
  const RunId run = Create(ToySpec(5000));
  CallingWorker worker = Joined("w1");
  const auto work = worker.Acquire(1000);
  ASSERT_TRUE(work.ok()) << work.status();
  std::set<LeaseId> leases;
  size_t slots = 0;
  for (const Lease& lease : work->leases) {
    leases.insert(lease.lease);
    slots += lease.slots.size();
  }
  EXPECT_EQ(slots, 1000u);
  EXPECT_EQ(leases.size(), work->leases.size());
  EXPECT_EQ(work->runs.size(), 1u);
  EXPECT_EQ(StatusOf(run).slots_in_flight, 1000u);
}

TEST_F(CoordinatorTest, AHerdOfHeldCallsIsServedInTurns) {
  Start();
  const RunId run = Create(ToySpec(5000));
  ASSERT_TRUE(coordinator_->operators().PauseRun(run).ok());
  std::vector<CallingWorker> workers;
  std::vector<std::future<absl::StatusOr<AcquireOutput>>> replies;
  for (int i = 0; i < 150; ++i) {
    workers.push_back(Joined("w" + std::to_string(i)));
    replies.push_back(workers.back().AcquireLater(4));
  }
  // More than one notification's worth; each entry shows the present state.
  workers[7].Join();
  std::map<std::string, SessionId> told;
  for (const WorkerStatus& worker : coordinator_->readers().GetStatus(0).workers) {
    EXPECT_TRUE(told.emplace(worker.worker, worker.session).second) << worker.worker;
  }
  EXPECT_EQ(told.size(), 150u);
  EXPECT_EQ(told["w7"], workers[7].session);
  ASSERT_TRUE(coordinator_->operators().ResumeRun(run).ok());
  for (size_t i = 0; i < replies.size(); ++i) {
    const auto work = replies[i].get();
    if (i == 7) {
      EXPECT_EQ(work.status().code(), absl::StatusCode::kFailedPrecondition);
    } else {
      ASSERT_TRUE(work.ok()) << work.status();
      ASSERT_THAT(work->leases, SizeIs(1));
      EXPECT_THAT(work->leases[0].slots, SizeIs(4));
    }
  }
  EXPECT_EQ(StatusOf(run).slots_in_flight, 4u * 149);
}

TEST_F(CoordinatorTest, ManyWorkersAtOnceLoseAndDoubleNothing) {
  Start(absl::ZeroDuration());
  const RunId staged = Create([] {
    RunSpec spec = ToySpec(200, "result-driven");
    spec.policy_options = {{"delta", "4,2,1"}, {"rand", "8"}};
    return spec;
  }());
  const RunId online = Create(ToySpec(200));
  std::atomic<int> accepted = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      CallingWorker worker(*coordinator_, "w" + std::to_string(i));
      worker.Join();
      // An empty reply may come while the others hold the last slots of a stage.
      while (StatusOf(staged).state == "running" || StatusOf(online).state == "running") {
        accepted += worker.Work();
        EXPECT_TRUE(coordinator_->workers().Beat(worker.session, {}).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(accepted, 400);
  EXPECT_EQ(StatusOf(staged).games_done, 200u);
  EXPECT_EQ(StatusOf(online).games_done, 200u);
  coordinator_.reset();
  ExpectCleanAudit(400);
}

TEST_F(CoordinatorTest, WritesCheckpointsBesideGames) {
  Coordinator::Options options;
  options.db_path = path_;
  options.acquire_wait = absl::ZeroDuration();
  options.slots_per_lease = 4;
  options.checkpoint = absl::Milliseconds(1);
  options.checkpoint_rows = 3;
  coordinator_ = Coordinator::Start(options, rules_, clock_).value();
  RunSpec spec = ToySpec(300, "result-driven");
  spec.policy_options = {{"delta", "4,2,1"}, {"rand", "8"}};
  const RunId run = Create(spec);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      CallingWorker worker(*coordinator_, "w" + std::to_string(i));
      worker.Join();
      while (StatusOf(run).state == "running") worker.Work();
    });
  }
  while (StatusOf(run).state == "running") {
    clock_.Advance(absl::Milliseconds(2));
    const AuditReport report = Audited();
    EXPECT_EQ(report.mismatches, 0u);
    EXPECT_THAT(report.first, IsEmpty());
  }
  for (std::thread& thread : threads) thread.join();
  coordinator_.reset();
  ExpectCleanAudit(300);
  const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  EXPECT_EQ(LoadRun(*store, rules_, run)->times.games_read, 0u) << "the last one has everything";
}

TEST_F(CoordinatorTest, WritesACheckpointWhenManyGamesHaveComeHoweverSoon) {
  Coordinator::Options options;
  options.db_path = path_;
  options.acquire_wait = absl::ZeroDuration();
  options.slots_per_lease = 4;
  options.checkpoint = absl::Hours(10'000);
  options.checkpoint_games = 12;
  coordinator_ = Coordinator::Start(options, rules_, clock_).value();
  const RunId run = Create(ToySpec(1000));
  CallingWorker worker(*coordinator_, "w1");
  const auto play = [&] {
    worker.Join();  // time has passed, and it has not been heard of
    const auto work = worker.Acquire(4);
    ASSERT_THAT(work->leases, SizeIs(1));
    for (const auto& game : CallingWorker::Play(work->leases[0])) {
      EXPECT_EQ(worker.SubmitOne(game), Verdict::kAccepted);
    }
  };
  // The games that a restart would replay, once they are at most `wanted` or, if some are wanted,
  // after a bounded number of chores.
  const auto unwritten = [&](uint64_t wanted) {
    uint64_t games = 0;
    for (int chores = 0; wanted == 0 || chores < 300; ++chores) {
      clock_.Advance(absl::Seconds(5));
      const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
      games = LoadRun(*store, rules_, run)->times.games_read;
      if (games <= wanted) break;
    }
    return games;
  };
  play();
  EXPECT_EQ(unwritten(0), 0u) << "the first one of a run comes at once";
  play();
  play();
  EXPECT_EQ(unwritten(7), 8u) << "eight are too few";
  play();
  EXPECT_EQ(unwritten(0), 0u);
}

TEST_F(CoordinatorTest, GivesAnExpiredSlotOutAgainAndStillTakesTheLateGame) {
  Start();
  const RunId run = Create(ToySpec(2));
  CallingWorker slow = Joined("slow");
  CallingWorker fast = Joined("fast");
  const auto held = slow.Acquire(1);
  ASSERT_THAT(held->leases, SizeIs(1));
  ASSERT_THAT(held->leases[0].slots, SizeIs(1));
  const auto other = fast.Acquire(1);
  ASSERT_EQ(fast.SubmitOne(CallingWorker::Play(other->leases[0])[0]), Verdict::kAccepted);
  // Nothing is left until the slow worker's lease runs out.
  auto waiting = fast.AcquireLater(4);
  clock_.Advance(absl::Seconds(91));
  const auto again = waiting.get();
  ASSERT_TRUE(again.ok());
  ASSERT_THAT(again->leases, SizeIs(1));
  EXPECT_NE(again->leases[0].lease, held->leases[0].lease);
  ASSERT_THAT(again->leases[0].slots, SizeIs(1));
  EXPECT_EQ(again->leases[0].slots[0].line, held->leases[0].slots[0].line);
  EXPECT_NE(again->leases[0].slots[0].seed, held->leases[0].slots[0].seed);

  EXPECT_THAT(coordinator_->workers().Beat(slow.session, {{held->leases[0].lease, 5}})->cancelled,
              SizeIs(1));
  const SubmittedGame late = CallingWorker::Play(held->leases[0])[0];
  EXPECT_EQ(slow.SubmitOne(late), Verdict::kStaleAccepted);
  EXPECT_EQ(slow.SubmitOne(late), Verdict::kDuplicate);
  EXPECT_EQ(StatusOf(run).stale_accepted, 1u);
  EXPECT_EQ(fast.SubmitOne(CallingWorker::Play(again->leases[0])[0]), Verdict::kAccepted);
  EXPECT_EQ(StatusOf(run).state, "done");
  coordinator_.reset();
  ExpectCleanAudit(3);
}

TEST_F(CoordinatorTest, ProgressKeepsALease) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  CallingWorker worker = Joined("w");
  const LeaseId lease = worker.Acquire(1)->leases.at(0).lease;
  for (uint32_t plies = 1; plies < 5; ++plies) {
    clock_.Advance(absl::Seconds(80));
    EXPECT_THAT(coordinator_->workers().Beat(worker.session, {{lease, plies}})->cancelled,
                IsEmpty());
  }
  EXPECT_EQ(StatusOf(run).leases, 1u);
  clock_.Advance(absl::Seconds(80));
  EXPECT_THAT(coordinator_->workers().Beat(worker.session, {{lease, 4}})->cancelled, IsEmpty());
  clock_.Advance(absl::Seconds(11));
  while (StatusOf(run).leases != 0) std::this_thread::yield();
}

TEST_F(CoordinatorTest, KeepsAConflictAside) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  CallingWorker worker = Joined("w");
  const Lease lease = worker.Acquire(2)->leases.at(0);
  const SubmittedGame game = CallingWorker::Play(lease)[0];
  EXPECT_EQ(worker.SubmitOne(game), Verdict::kAccepted);
  SubmittedGame other = game;
  other.nodes += 1;
  EXPECT_EQ(worker.SubmitOne(other), Verdict::kConflict);
  EXPECT_EQ(StatusOf(run).conflicts, 1u);
  EXPECT_EQ(StatusOf(run).games_done, 1u);
  coordinator_.reset();
  ExpectCleanAudit(1);
}

// A worker that submits other games for played slots, its own or those of other workers.
TEST_F(CoordinatorTest, ConflictsAreBoundedAndTheOwners) {
  Start();
  const RunId run = Create(ToySpec(1000));
  CallingWorker worker = Joined("w");
  CallingWorker other = Joined("x");
  SubmittedGame stolen;
  for (int i = 0; i < 130; ++i) {
    const Lease lease = worker.Acquire(1)->leases.at(0);
    SubmittedGame game = CallingWorker::Play(lease).at(0);
    ASSERT_EQ(worker.SubmitOne(game), Verdict::kAccepted);
    for (int again = 1; again < 4; ++again) {
      game.nodes += 1;
      EXPECT_EQ(worker.SubmitOne(game), Verdict::kConflict);
    }
    stolen = game;
  }
  EXPECT_EQ(StatusOf(run).conflicts, 100u) << "one of a slot, and so many of a worker";
  const auto verdicts = other.Submit({stolen});
  ASSERT_TRUE(verdicts.ok());
  EXPECT_EQ(verdicts->at(0).verdict, Verdict::kRejected) << "it is not x's slot";
  EXPECT_EQ(StatusOf(run).conflicts, 100u);
  coordinator_.reset();
  Start();
  EXPECT_EQ(StatusOf(run).conflicts, 100u);
  coordinator_.reset();
  ExpectCleanAudit(130);
}

TEST_F(CoordinatorTest, ConflictsOfOneCallAreBoundedToo) {
  Start();
  const RunId run = Create(ToySpec(1000));
  CallingWorker worker = Joined("w");
  std::vector<SubmittedGame> others;
  while (others.size() < 130) {
    const auto work = worker.Acquire();
    for (const Lease& lease : work->leases) {
      std::vector<SubmittedGame> games = CallingWorker::Play(lease);
      ASSERT_TRUE(worker.Submit(games).ok());
      for (SubmittedGame& game : games) {
        game.nodes += 1;
        others.push_back(std::move(game));
      }
    }
  }
  ASSERT_TRUE(worker.Submit(others).ok());
  EXPECT_EQ(StatusOf(run).conflicts, 100u);
}

TEST_F(CoordinatorTest, ALineThatAlwaysFailsIsWithheldFromItsOnlyWorker) {
  Start(absl::ZeroDuration());
  RunSpec spec = ToySpec(20);
  spec.deviation = 0;
  const RunId run = Create(spec);
  CallingWorker worker = Joined("w");
  const std::vector<Move> bad = worker.Acquire(1)->leases.at(0).slots.at(0).line;
  // The line crashes the engine every time; all others are played.
  clock_.Advance(absl::Seconds(91));
  while (StatusOf(run).leases != 0) std::this_thread::yield();
  int crashes = 0;
  while (StatusOf(run).state == "running") {
    const auto work = worker.Acquire(4);
    for (const Lease& lease : work->leases) {
      std::vector<SubmittedGame> games = CallingWorker::Play(lease);
      for (size_t i = 0; i < games.size(); ++i) {
        if (lease.slots[i].line != bad) continue;
        games[i] = FaultOf(lease.run, lease.lease, lease.slots[i]);
        ++crashes;
      }
      ASSERT_TRUE(worker.Submit(games).ok());
    }
  }
  EXPECT_GE(crashes, 2);
  EXPECT_LE(crashes, 8) << "nothing is tried for ever";
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.poisoned_lines, 0u) << "it may be the worker's fault";
  EXPECT_EQ(status.faults, static_cast<uint64_t>(crashes));
  EXPECT_EQ(status.games_done, 20u);
  EXPECT_EQ(status.terminations.at(Termination::kCrash), static_cast<uint64_t>(crashes));
  coordinator_.reset();
  Start(absl::ZeroDuration());
  EXPECT_EQ(StatusOf(run).poisoned_lines, 0u);
  coordinator_.reset();
  ExpectCleanAudit(20 + static_cast<uint64_t>(crashes));
}

TEST_F(CoordinatorTest, LeavingGivesSlotsBackAtOnce) {
  Start();
  Create(ToySpec(4));
  CallingWorker leaver = Joined("leaver");
  const Lease held = leaver.Acquire(4)->leases.at(0);
  ASSERT_THAT(held.slots, SizeIs(4));
  CallingWorker stayer = Joined("stayer");
  auto waiting = stayer.AcquireLater(4);
  std::vector<SlotRef> unplayed;
  for (const Slot& slot : held.slots) unplayed.push_back({held.lease, slot.slot});
  ASSERT_TRUE(leaver.Leave(unplayed).ok());
  const auto again = waiting.get();
  ASSERT_THAT(again->leases, SizeIs(1));
  EXPECT_EQ(again->leases[0].slots.size(), held.slots.size());
  EXPECT_EQ(again->leases[0].slots[0].line, held.slots[0].line);
  EXPECT_EQ(ProblemOf(leaver.Acquire(1).status()).code, "unknown_session");
}

TEST_F(CoordinatorTest, PausedRunsGiveNothingOutAndTakeWhatIsPlayed) {
  Start();
  const RunId run = Create(ToySpec(20));
  CallingWorker worker = Joined("w");
  const Lease held = worker.Acquire(2)->leases.at(0);
  EXPECT_EQ(*coordinator_->operators().PauseRun(run), "paused");
  auto waiting = worker.AcquireLater(2);
  EXPECT_EQ(worker.Submit(CallingWorker::Play(held))->at(0).verdict, Verdict::kAccepted);
  EXPECT_EQ(StatusOf(run).slots_in_flight, 0u);
  coordinator_.reset();
  EXPECT_EQ(ProblemOf(waiting.get().status()).code, "shutting_down");
  Start();
  EXPECT_EQ(StatusOf(run).state, "paused") << "kept over a restart";
  CallingWorker again = Joined("w");
  waiting = again.AcquireLater(2);
  EXPECT_EQ(*coordinator_->operators().ResumeRun(run), "running");
  EXPECT_THAT(waiting.get()->leases, SizeIs(1));
  EXPECT_EQ(*coordinator_->operators().StopRun(run), "stopped");
  EXPECT_EQ(ProblemOf(coordinator_->operators().ResumeRun(run).status()).code, "run_state");
  EXPECT_TRUE(absl::IsNotFound(coordinator_->operators().PauseRun(99).status()));
}

TEST_F(CoordinatorTest, StoppingCancelsLeasesAndKeepsLateGames) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(20));
  CallingWorker worker = Joined("w");
  const Lease held = worker.Acquire(1)->leases.at(0);
  ASSERT_TRUE(coordinator_->operators().StopRun(run).ok());
  EXPECT_THAT(coordinator_->workers().Beat(worker.session, {{held.lease, 9}})->cancelled,
              SizeIs(1));
  EXPECT_EQ(worker.SubmitOne(CallingWorker::Play(held)[0]), Verdict::kStaleAccepted);
  EXPECT_EQ(StatusOf(run).state, "stopped");
  EXPECT_EQ(StatusOf(run).games_done, 1u);
}

TEST_F(CoordinatorTest, DrainsOneWorkerOrAll) {
  Start();
  Create(ToySpec(20));
  CallingWorker a = Joined("a");
  CallingWorker b = Joined("b");
  EXPECT_EQ(coordinator_->operators().Drain("a"), 1);
  EXPECT_TRUE(a.Acquire(1)->drain);
  EXPECT_FALSE(b.Acquire(1)->drain);
  EXPECT_TRUE(coordinator_->workers().Beat(a.session, {})->drain);
  EXPECT_EQ(coordinator_->operators().Drain("nobody"), 0);
  EXPECT_EQ(coordinator_->operators().Drain(""), 2);
  EXPECT_TRUE(b.Acquire(1)->drain);
}

TEST_F(CoordinatorTest, ADrainRepliesToHeldCalls) {
  Start();
  CallingWorker a = Joined("a");
  auto waiting = a.AcquireLater(1);
  coordinator_->operators().Drain("");
  EXPECT_TRUE(waiting.get()->drain);
}

// With a margin of 1 a position is settled as soon as each of its moves has a game.
TEST_F(CoordinatorTest, ARunEndsByItsRuleWhereverItIsStopped) {
  Start(absl::ZeroDuration());
  RunSpec spec = ToySpec(100'000, "ucb1");
  spec.deviation = 0;
  spec.max_book_plies = 2;
  spec.stop.settling = {.error = 0.05, .margin = 1};
  spec.stop.least_gain = 0.001;
  const RunId run = Create(spec);
  EXPECT_EQ(StatusOf(run).gain_left, 1);
  double left = 1;
  uint64_t games = 0;
  for (int round = 0; round < 200 && StatusOf(run).state == "running"; ++round) {
    {
      CallingWorker worker = Joined("w");
      const auto work = worker.Acquire();
      ASSERT_TRUE(work.ok()) << work.status();
      for (const Lease& lease : work->leases) {
        ASSERT_TRUE(worker.Submit(CallingWorker::Play(lease)).ok());
        games += lease.slots.size();
      }
    }
    left = StatusOf(run).gain_left.value_or(-1);
    const std::string state = StatusOf(run).state;
    coordinator_.reset();
    Start(absl::ZeroDuration());
    EXPECT_EQ(StatusOf(run).gain_left, left);
    EXPECT_EQ(StatusOf(run).state, state);
  }
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_THAT(StatusOf(run).reason, ::testing::HasSubstr("no position is left worth a game"));
  EXPECT_EQ(StatusOf(run).spec.stop, spec.stop);
  EXPECT_LE(left, 0.001);
  coordinator_.reset();
  ExpectCleanAudit(games);
}

TEST_F(CoordinatorTest, AStageThatChangesNothingIsTheLast) {
  Start(absl::ZeroDuration());
  RunSpec spec = ToySpec(0, "result-driven");
  spec.policy_options = {{"games", "12"}};
  spec.stop.least_change = 1;  // any share is small enough
  const RunId run = Create(spec);
  const int games = Joined("w").Work();
  EXPECT_GE(games, 12) << "draws are replaced";
  EXPECT_LT(games, 24);
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_THAT(StatusOf(run).reason, ::testing::HasSubstr("stable: stage 1"));
  coordinator_.reset();
  Start(absl::ZeroDuration());
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_THAT(StatusOf(run).reason, ::testing::HasSubstr("stable: stage 1"));
  coordinator_.reset();
  ExpectCleanAudit(static_cast<uint64_t>(games));
}

// A clock that is set, or a machine that slept: nothing was played meanwhile.
TEST_F(CoordinatorTest, AClockThatJumpsUsesUpNoTime) {
  Start();
  RunSpec spec = ToySpec(0);
  spec.seconds = 8 * 3600;
  const RunId run = Create(spec);
  clock_.Advance(absl::Hours(9));
  while (StatusOf(run).eta_seconds >= 8 * 3600) std::this_thread::yield();
  EXPECT_EQ(StatusOf(run).state, "running");
  EXPECT_GE(StatusOf(run).eta_seconds, 8 * 3600 - 300);
}

TEST_F(CoordinatorTest, RunsForATime) {
  Start();
  RunSpec spec = ToySpec(0);
  spec.seconds = 100;
  const RunId run = Create(spec);
  CallingWorker worker = Joined("w");
  const Lease held = worker.Acquire(1)->leases.at(0);
  clock_.Advance(absl::Seconds(60));
  ASSERT_EQ(worker.SubmitOne(CallingWorker::Play(held)[0]), Verdict::kAccepted);
  EXPECT_EQ(StatusOf(run).state, "running");
  clock_.Advance(absl::Seconds(60));
  while (StatusOf(run).state != "done") std::this_thread::yield();
  EXPECT_EQ(StatusOf(run).reason, "the time is used up");
}

}  // namespace
}  // namespace joseki::coordinator
