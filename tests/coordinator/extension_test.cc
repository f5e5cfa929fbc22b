// Runs that are given more to play: over the whole coordinator.

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/coordinator/stepped_fixture.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using testing::ToySpec;

class ExtensionTest : public SteppedTest {
 protected:
  absl::StatusOr<ExtendedRun> Extend(RunId run, const MoreToPlay& more) {
    return coordinator_->operators().ExtendRun(run, more);
  }
  RunId Done(uint64_t games) {
    const RunId run = Create(ToySpec(games));
    SteppedWorker worker = Of("first").Join();
    PlayOn(run, worker);
    EXPECT_EQ(StatusOf(run).state, "done");
    return run;
  }
};

TEST_F(ExtensionTest, AWaitingWorkerGetsTheFurtherGames) {
  Start();
  const RunId run = Create(ToySpec(6));
  SteppedWorker worker = Of("w").Join();
  PlayOn(run, worker);
  ASSERT_EQ(StatusOf(run).state, "done");
  // Whether or not its workers have been recounted since the run ended.
  for (const auto wait : {absl::Milliseconds(1), absl::Seconds(5)}) {
    const SteppedWorker::Held held = worker.AcquireLater(4);
    Wait(wait);
    const uint64_t before = StatusOf(run).games_done;
    const auto extended = Extend(run, {.games = 4, .request_id = {}});
    ASSERT_TRUE(extended.ok()) << extended.status();
    EXPECT_EQ(extended->state, "running");
    EXPECT_EQ(extended->spec.games, before + 4);
    coordinator_->Step();
    ASSERT_TRUE(held->has_value());
    ASSERT_EQ(SlotsOf(*held->value()), 4u);
    const RunStatus status = StatusOf(run);
    EXPECT_EQ(status.state, "running");
    EXPECT_EQ(status.reason, "");
    EXPECT_EQ(status.servers, 1u);
    ASSERT_TRUE(worker.Submit(Play(held->value()->leases.at(0))).ok());
    EXPECT_EQ(StatusOf(run).state, "done");
    EXPECT_EQ(StatusOf(run).games_done, before + 4);
  }
  EXPECT_EQ(CleanlyAuditedGames(), 14u);
}

TEST_F(ExtensionTest, ARestartInTheMiddleOfItGoesOn) {
  Start();
  const RunId run = Done(5);
  coordinator_->Step();
  Start();
  EXPECT_EQ(StatusOf(run).state, "done");
  ASSERT_TRUE(Extend(run, {.games = 6, .request_id = "b"}).ok());
  SteppedWorker worker = Of("w").Join();
  const auto work = worker.Acquire(2);
  ASSERT_TRUE(worker.Submit(Play(work->leases.at(0))).ok());
  Start();
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "running");
  EXPECT_EQ(status.games_done, 7u);
  EXPECT_EQ(status.spec.games, 11u);
  EXPECT_EQ(status.spec.extension,
            (Extension{.games = 6, .after = 5, .times = 1, .request_id = "b"}));
  SteppedWorker again = Of("w2").Join();
  PlayOn(run, again);
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_EQ(CleanlyAuditedGames(), 11u);
}

TEST_F(ExtensionTest, ARepeatedCallExtendsOnce) {
  Start();
  const RunId run = Done(5);
  for (int call = 0; call < 2; ++call) {
    const auto extended = Extend(run, {.games = 3, .request_id = "once"});
    ASSERT_TRUE(extended.ok()) << extended.status();
    EXPECT_EQ(extended->spec.games, 8u);
    Start();
  }
  ASSERT_TRUE(Extend(run, {.games = 3, .request_id = "twice"}).ok());
  EXPECT_EQ(StatusOf(run).spec.games, 11u);
}

TEST_F(ExtensionTest, TheBookMayHaveToBeTheSame) {
  Start();
  const RunId run = Done(5);
  const MoreToPlay same{.games = 2, .same_book = true, .request_id = {}};
  ASSERT_TRUE(Extend(run, same).ok());
  testing::WriteToyBook(path_, /*plies=*/3);  // more is said of its moves now
  const absl::Status refused = Extend(run, same).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_EQ(ProblemOf(refused).code, "book_changed");
  EXPECT_EQ(StatusOf(run).spec.games, 7u);
  // The run still uses the book that it froze.
  EXPECT_TRUE(Extend(run, {.games = 2, .request_id = {}}).ok());
}

TEST_F(ExtensionTest, WhatCannotGoOnIsRefused) {
  Start();
  EXPECT_TRUE(absl::IsNotFound(Extend(7, {.games = 1, .request_id = {}}).status()));
  const RunId run = Done(5);
  {
    SQLite::Database db(path_, SQLite::OPEN_READWRITE);
    db.exec(
        "INSERT INTO archives (run, first_seq, last_seq, games, first_wins, second_wins, draws,"
        " faults, plies, file, sha256, bytes, dropped)"
        " VALUES (1, 1, 5, 5, 0, 0, 5, 0, 0, 'f', zeroblob(32), 1, 1)");
  }
  EXPECT_EQ(ProblemOf(Extend(run, {.games = 1, .request_id = {}}).status()).code, "games_dropped");
  const RunId stopped = Create(ToySpec(5));
  ASSERT_TRUE(coordinator_->operators().StopRun(stopped).ok());
  EXPECT_EQ(ProblemOf(Extend(stopped, {.games = 1, .request_id = {}}).status()).code, "run_state");
  EXPECT_EQ(StatusOf(stopped).state, "stopped");
}

TEST_F(ExtensionTest, GamesOfABlockedWorkerLeaveBothPartsAndAreReplaced) {
  Start();
  const RunId run = Create(ToySpec(8));
  SteppedWorker bad = Of("bad").Join();
  SteppedWorker good = Of("good").Join();
  const std::vector<SubmittedGame> early = Play(bad.LeasesOf(4).at(0));
  ASSERT_TRUE(bad.Submit(early).ok());
  PlayOn(run, good);
  ASSERT_EQ(StatusOf(run).state, "done");
  ASSERT_TRUE(Extend(run, {.games = 6, .request_id = {}}).ok());
  const std::vector<SubmittedGame> late = Play(bad.LeasesOf(2).at(0));
  ASSERT_TRUE(bad.Submit(late).ok());
  ASSERT_EQ(StatusOf(run).games_done, 8 + late.size());
  ASSERT_TRUE(coordinator_->operators().BlockWorker("bad", "", /*unseen=*/false).ok());
  coordinator_->Step();
  EXPECT_EQ(StatusOf(run).games_done, 8 - early.size());
  PlayOn(run, good);
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.games_done, 14u);
  EXPECT_EQ(status.games_excluded, early.size() + late.size());
  EXPECT_EQ(CleanlyAuditedGames(), 14 + early.size() + late.size());
}

}  // namespace
}  // namespace joseki::coordinator
