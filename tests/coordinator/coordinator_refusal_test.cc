// Tests the requests that the coordinator refuses, and the errors.

#include <filesystem>
#include <string>
#include <utility>

#include "book/database/store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/coordinator_fixture.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::ToySpec;

TEST_F(CoordinatorTest, RejectsWhatItNeverHandedOut) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  CallingWorker worker = Joined("w");
  CallingWorker thief = Joined("thief");
  const Lease lease = worker.Acquire(1)->leases.at(0);
  const SubmittedGame game = CallingWorker::Play(lease)[0];
  const auto reason = [](CallingWorker& sender, SubmittedGame sent) {
    const auto verdicts = sender.Submit({std::move(sent)});
    EXPECT_EQ(verdicts->at(0).verdict, Verdict::kRejected);
    return verdicts->at(0).reason.substr(0, verdicts->at(0).reason.find(':'));
  };
  EXPECT_EQ(reason(thief, game), "foreign_lease");
  SubmittedGame wrong = game;
  wrong.slot = 9;
  EXPECT_EQ(reason(worker, wrong), "unknown_slot");
  wrong = game;
  wrong.lease = 999;
  EXPECT_EQ(reason(worker, wrong), "unknown_slot");
  wrong = game;
  wrong.run = 9;
  EXPECT_EQ(reason(worker, wrong), "unknown_run");
  wrong = game;
  wrong.claim.result =
      wrong.claim.result == Result::kFirstWins ? Result::kSecondWins : Result::kFirstWins;
  EXPECT_EQ(reason(worker, wrong), "wrong_ending");
  EXPECT_EQ(StatusOf(run).games_done, 0u);
  EXPECT_EQ(worker.SubmitOne(game), Verdict::kAccepted) << "the slot is still open";
}

TEST_F(CoordinatorTest, RefusesWorkersThatCannotServe) {
  Start(absl::ZeroDuration());
  Create(ToySpec(20));
  CallingWorker worker(*coordinator_, "w");
  JoinInput input = worker.Introduction();
  input.protocol = 2;
  EXPECT_EQ(ProblemOf(worker.TryJoin(input).status()).code, "protocol");
  input = worker.Introduction();
  input.engines[0].signature = 78;
  const absl::Status refused = worker.TryJoin(input).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_EQ(ProblemOf(refused).code, "engine");
  EXPECT_THAT(std::string(refused.message()), ::testing::HasSubstr("78"));
  EXPECT_THAT(std::string(refused.message()), ::testing::HasSubstr("77"));
  input = worker.Introduction();
  input.worker = "a b";
  EXPECT_EQ(ProblemOf(worker.TryJoin(input).status()).file, "worker");
  input = worker.Introduction();
  input.engines[0].game = "xiangqi";
  EXPECT_EQ(ProblemOf(worker.TryJoin(input).status()).code, "other_game");
  // Another engine: welcome, but not for this run.
  input = worker.Introduction();
  input.engines[0].id = "another";
  const auto joined = worker.TryJoin(input);
  ASSERT_TRUE(joined.ok());
  worker.session = joined->session;
  EXPECT_THAT(worker.Acquire(1)->leases, IsEmpty());
}

TEST_F(CoordinatorTest, ANewSessionFencesTheOld) {
  Start(absl::ZeroDuration());
  Create(ToySpec(20));
  CallingWorker first = Joined("w");
  CallingWorker second = Joined("w");
  EXPECT_EQ(ProblemOf(first.Acquire(1).status()).code, "unknown_session");
  EXPECT_EQ(ProblemOf(coordinator_->workers().Beat(first.session, {}).status()).code,
            "unknown_session");
  EXPECT_THAT(second.Acquire(1)->leases, SizeIs(1));
}

TEST_F(CoordinatorTest, ASecondCoordinatorIsRefused) {
  Start();
  Coordinator::Options options;
  options.db_path = path_;
  const auto second = Coordinator::Start(options, rules_, clock_);
  ASSERT_FALSE(second.ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(second.status()));
  EXPECT_EQ(ProblemOf(second.status()).code, "coordinator_running");
  coordinator_.reset();
  EXPECT_TRUE(Coordinator::Start(options, rules_, clock_).ok());
}

// Time passes without using up the run's, and readers see committed state only.
TEST_F(CoordinatorTest, WhoOnlyLooksWritesNothing) {
  Start();
  RunSpec spec = ToySpec(10);
  spec.seconds = 3600;
  const RunId run = coordinator_->operators().CreateRun(spec, "").value().run;
  coordinator_.reset();
  const auto row = [&] {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return RunStore(*store).runs().Read(run).value();
  };
  const RunRow before = row();
  Coordinator::Options options;
  options.db_path = path_;
  options.only_looks = true;
  auto looks = Coordinator::Open(options, rules_, clock_).value();
  clock_.Advance(absl::Hours(2));
  EXPECT_EQ(looks->readers().GetStatus(run).runs.at(0).state, "running");
  EXPECT_FALSE(looks->readers().GetPosition(run, "").value().moves.empty());
  EXPECT_EQ(ProblemOf(Coordinator::Start(options, rules_, clock_).status()).code,
            "coordinator_running");
  looks.reset();
  EXPECT_EQ(row().played_ms, before.played_ms);
  EXPECT_EQ(row().state, "running");
  options.db_path = folder_ / "none.sqlite";
  EXPECT_TRUE(absl::IsNotFound(Coordinator::Open(options, rules_, clock_).status()));
}

TEST_F(CoordinatorTest, WhoeverTakesADeletedLockEndsTheFirst) {
  Coordinator::Options options;
  options.db_path = path_;
  int lost = 0;
  options.lock_lost = [&lost] { ++lost; };
  const auto first = Coordinator::Open(options, rules_, clock_).value();
  const RunId run = first->operators().CreateRun(ToySpec(10), "").value().run;
  const auto look = [&] {
    clock_.Advance(absl::Seconds(2));
    first->Step();
  };
  std::filesystem::remove(path_ + ".lock");
  look();
  EXPECT_EQ(ProblemOf(Coordinator::Start(options, rules_, clock_).status()).code,
            "coordinator_running")
      << "the lock was made anew";
  std::filesystem::remove(path_ + ".lock");
  options.lock_lost = nullptr;
  auto second = Coordinator::Start(options, rules_, clock_).value();
  EXPECT_EQ(lost, 0);
  for (int i = 0; i < 3; ++i) look();
  EXPECT_EQ(lost, 1);
  absl::Status refused;
  first->workers().Submit({{/*session=*/1}, "", {}},
                          [&](const auto& output) { refused = output.status(); });
  first->Step();
  EXPECT_EQ(ProblemOf(refused).code, "shutting_down") << "the book is the second's to write";
  second.reset();
  look();  // free again, and too late
  const RunStatus status = first->readers().GetStatus(run).runs.at(0);
  EXPECT_EQ(status.state, "paused");
  EXPECT_THAT(status.reason, ::testing::HasSubstr("another coordinator"));
  EXPECT_TRUE(Coordinator::Start(options, rules_, clock_).ok());
}

TEST_F(CoordinatorTest, RefusesRunsThatCannotBe) {
  Start(absl::ZeroDuration());
  RunSpec spec = ToySpec(10);
  spec.play.nodes = 0;
  EXPECT_TRUE(absl::IsInvalidArgument(coordinator_->operators().CreateRun(spec, "").status()));
  spec = ToySpec(10);
  spec.start = "3-4 b 1";
  EXPECT_EQ(ProblemOf(coordinator_->operators().CreateRun(spec, "").status()).code,
            "start_not_in_book");
  EXPECT_THAT(coordinator_->readers().GetStatus(0).runs, IsEmpty());
  const RunId run = Create(ToySpec(10), "same");
  EXPECT_EQ(Create(ToySpec(10), "same"), run);
  EXPECT_NE(Create(ToySpec(10), "another"), run);
  EXPECT_NE(Create(ToySpec(10)), Create(ToySpec(10))) << "no request id, no memory";
}

TEST_F(CoordinatorTest, RefusesABookWithoutAChoice) {
  const std::string path = folder_ / "line.sqlite";
  testing::WriteToyBook(path, testing::ToyBook(4, "a1"));
  Coordinator::Options options;
  options.db_path = path;
  auto coordinator = Coordinator::Start(options, rules_, clock_).value();
  RunSpec fixed = ToySpec(10, "response");
  fixed.line_searches = {.nodes = 10 * fixed.play.nodes, .share = 50, .fixed_book = true};
  for (const RunSpec& spec : {ToySpec(10), fixed}) {
    const absl::Status refused = coordinator->operators().CreateRun(spec, "").status();
    EXPECT_TRUE(absl::IsFailedPrecondition(refused));
    EXPECT_EQ(ProblemOf(refused).code, "no_choice");
  }
  fixed.line_searches.fixed_book = false;
  EXPECT_TRUE(coordinator->operators().CreateRun(fixed, "").ok()) << "searches find other moves";
}

TEST_F(CoordinatorTest, RefusesARunOnAnEmptyBook) {
  const std::string path = folder_ / "empty.sqlite";
  ASSERT_TRUE(book::Store::Open(path, book::OpenMode::kCreate, "toy").ok());
  Coordinator::Options options;
  options.db_path = path;
  auto coordinator = Coordinator::Start(options, rules_, clock_).value();
  const absl::Status refused = coordinator->operators().CreateRun(ToySpec(10), "").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_EQ(ProblemOf(refused).code, "start_not_in_book");
}

// Runs of two engines on one book: neither knows the other's games.
TEST_F(CoordinatorTest, EvidenceOfAnotherEngineIsNotARuns) {
  Start(absl::ZeroDuration());
  const RunId first = Create(ToySpec(20));
  EXPECT_EQ(Joined("w").Work(), 20);
  RunSpec other = ToySpec(20);
  other.play.engine_signature = kToySignature + 1;
  const RunId second = Create(other);
  const absl::StatusOr<PositionEvidence> of_second =
      coordinator_->readers().GetPosition(second, "");
  for (const MoveEvidence& move : of_second->moves) {
    EXPECT_EQ(move.evidence, book::Evidence());
  }
  uint32_t games = 0;
  const absl::StatusOr<PositionEvidence> of_first = coordinator_->readers().GetPosition(first, "");
  for (const MoveEvidence& move : of_first->moves) {
    games += move.evidence.played();
  }
  EXPECT_GT(games, 0u);
  // A worker with the first engine has nothing to do here.
  CallingWorker worker(*coordinator_, "again");
  EXPECT_EQ(ProblemOf(worker.TryJoin(worker.Introduction()).status()).code, "engine");
}

TEST_F(CoordinatorTest, ABookOnAnotherMachinesDiskIsRefused) {
  Coordinator::Options options;
  options.db_path = path_;
  options.network_file_system = [](const std::string&) { return std::string("nfs"); };
  const auto refused = Coordinator::Start(options, rules_, clock_);
  EXPECT_EQ(ProblemOf(refused.status()).code, "network_file_system");
  options.allow_network_file_system = true;
  EXPECT_TRUE(Coordinator::Start(options, rules_, clock_).ok());
}

}  // namespace
}  // namespace joseki::coordinator
