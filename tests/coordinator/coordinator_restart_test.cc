// Tests the state after a restart, a clock jump, a full disk and a restored backup.

#include <SQLiteCpp/Database.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "book/database/store.h"
#include "book/database/store_backup.h"
#include "coordinator/offline/invariants.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/coordinator_fixture.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::IsEmpty;
using testing::PlaySlot;
using ::testing::SizeIs;
using testing::ToySpec;

// Whichever row of a book is damaged, the error names file and place.
TEST_F(CoordinatorTest, ADamagedBookNamesTheRow) {
  Start(absl::ZeroDuration());
  Create(ToySpec(20));
  EXPECT_EQ(Joined("w").Work(), 20);
  coordinator_.reset();
  int number = 0;
  for (const auto& [sql, place] : std::vector<std::pair<std::string, std::string>>{
           {"UPDATE evidence SET wins = -1", ": evidence of run 1: "},
           {"UPDATE evidence SET edge = 1000000 WHERE edge = (SELECT max(edge) FROM evidence)",
            "evidence of run 1 for edge 1000000"},
           {"UPDATE seen_games SET hashes = x'010203'", ": seen_games of run 1: "},
           {"INSERT INTO poisoned_lines VALUES (1, x'0100', 3, '', 'nobody', 0)",
            ": poisoned_lines of run 1: "},
           {"INSERT INTO checks VALUES (1, 1, 0, 1, 1, 'x', 9, 0, 0, 0, 0, 0, 0, 0, x'')",
            ": checks of run 1: "},
           {"INSERT INTO trust_changes VALUES (1, 'w', 9, 0, 0, '', 0)", ": trust_changes 1: "},
           {"INSERT INTO trust_changes VALUES (2, 'w', 1, 0, 0, '', 0)", ": trust_changes 1: "},
           {"UPDATE snapshots SET bytes = x'00'", "another book in snapshot "},
           {"UPDATE games SET termination = 99", ": games, commit_seq "},
           {"UPDATE runs SET counters = '{'", ": runs 1: "}}) {
    const std::string path = folder_ / ("damaged-" + std::to_string(++number) + ".sqlite");
    std::filesystem::copy_file(path_, path);
    SQLite::Database(path, SQLite::OPEN_READWRITE).exec("UPDATE runs SET evidence_seq = 5; " + sql);
    Coordinator::Options options;
    options.db_path = path;
    const absl::Status status = Coordinator::Start(options, rules_, clock_).status();
    EXPECT_THAT(std::string(status.message()), ::testing::StartsWith(path)) << sql;
    EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(place)) << sql;
  }
  // A finished lease is read only for the replacements of lost slots.
  SQLite::Database(path_, SQLite::OPEN_READWRITE)
      .exec("UPDATE leases SET slots = x'00', replaces = 1 WHERE lease = 2");
  const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  EXPECT_THAT(std::string(RunStore(*store).leases().ReadReplaced(1, 0).status().message()),
              ::testing::StartsWith(path_ + ": leases 2: "));
}

TEST_F(CoordinatorTest, GoesOnAfterARestart) {
  Start(absl::ZeroDuration());
  RunSpec spec = ToySpec(60, "result-driven");
  spec.policy_options = {{"delta", "4,2"}, {"rand", "8"}};
  const RunId run = Create(spec, "request-1");
  auto worker = std::make_unique<CallingWorker>(Joined("w1"));
  const auto first = worker->Acquire();
  ASSERT_THAT(first->leases, SizeIs(1));
  ASSERT_TRUE(worker->Submit(CallingWorker::Play(first->leases[0])).ok());
  const auto held = worker->Acquire();
  ASSERT_THAT(held->leases, SizeIs(1));
  const std::vector<SubmittedGame> games = CallingWorker::Play(held->leases[0]);
  ASSERT_EQ(worker->SubmitOne(games[0]), Verdict::kAccepted);
  const auto before = coordinator_->readers().GetPosition(run, "");

  coordinator_.reset();
  clock_.Advance(absl::Hours(8));
  Start(absl::ZeroDuration());
  EXPECT_EQ(Create(spec, "request-1"), run) << "the request is remembered";
  EXPECT_EQ(StatusOf(run).games_done, 5u);
  EXPECT_EQ(StatusOf(run).slots_in_flight, 3u) << "the live lease has a new term";
  const auto after = coordinator_->readers().GetPosition(run, "");
  ASSERT_EQ(after->moves.size(), before->moves.size());
  for (size_t i = 0; i < after->moves.size(); ++i) {
    EXPECT_EQ(after->moves[i].weight, before->moves[i].weight);
    EXPECT_EQ(after->moves[i].evidence, before->moves[i].evidence);
    EXPECT_EQ(after->moves[i].in_flight, before->moves[i].in_flight);
  }

  // The worker's session is gone, its lease is not.
  CallingWorker again(*coordinator_, "w1");
  again.session = worker->session;
  again.epoch = worker->epoch;
  EXPECT_EQ(ProblemOf(again.Submit(games).status()).code, "unknown_session");
  again.Join();
  EXPECT_NE(again.session, worker->session);
  const auto verdicts = again.Submit(games);
  ASSERT_TRUE(verdicts.ok());
  EXPECT_EQ(verdicts->at(0).verdict, Verdict::kDuplicate);
  for (size_t i = 1; i < games.size(); ++i) {
    EXPECT_EQ(verdicts->at(i).verdict, Verdict::kAccepted);
  }
  again.Work();
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_EQ(StatusOf(run).games_done, 60u);
  coordinator_.reset();
  ExpectCleanAudit(60);
}

TEST_F(CoordinatorTest, RestartsTheSameMidwayWhereverItStops) {
  // One run straight through, and one with a restart after every lease.
  RunSpec spec = ToySpec(40, "result-driven");
  spec.policy_options = {{"delta", "4,2"}, {"rand", "8"}};
  std::vector<std::vector<MoveEvidence>> ends;
  for (const bool restart : {false, true}) {
    const std::string path = folder_ / (restart ? "b.sqlite" : "a.sqlite");
    testing::WriteToyBook(path);
    Coordinator::Options options;
    options.db_path = path;
    options.acquire_wait = absl::ZeroDuration();
    options.slots_per_lease = 4;
    options.checkpoint = absl::Hours(100);
    coordinator_ = Coordinator::Start(options, rules_, clock_).value();
    const RunId run = Create(spec);
    while (StatusOf(run).state == "running") {
      CallingWorker worker = Joined("w");
      const auto work = worker.Acquire();
      for (const Lease& lease : work->leases) {
        ASSERT_TRUE(worker.Submit(CallingWorker::Play(lease)).ok());
      }
      if (!restart) continue;
      coordinator_.reset();
      coordinator_ = Coordinator::Start(options, rules_, clock_).value();
    }
    ends.push_back(coordinator_->readers().GetPosition(run, "")->moves);
    coordinator_.reset();
  }
  ASSERT_EQ(ends[0].size(), ends[1].size());
  for (size_t i = 0; i < ends[0].size(); ++i) {
    EXPECT_EQ(ends[0][i].move, ends[1][i].move);
    EXPECT_EQ(ends[0][i].weight, ends[1][i].weight);
    EXPECT_EQ(ends[0][i].evidence, ends[1][i].evidence);
  }
}

TEST_F(CoordinatorTest, TakesALateGameAfterARestart) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  CallingWorker worker = Joined("w");
  const auto held = worker.Acquire(1);
  clock_.Advance(absl::Seconds(91));
  while (StatusOf(run).leases != 0) std::this_thread::yield();
  coordinator_.reset();
  Start(absl::ZeroDuration());
  EXPECT_EQ(StatusOf(run).leases, 0u) << "expired stays expired";
  CallingWorker again = Joined("w");
  const auto next = again.Acquire(1);
  ASSERT_THAT(next->leases, SizeIs(1));
  EXPECT_EQ(next->leases[0].slots[0].line, held->leases[0].slots[0].line);
  EXPECT_EQ(again.SubmitOne(CallingWorker::Play(held->leases[0])[0]), Verdict::kStaleAccepted);
}

TEST_F(CoordinatorTest, GoneForAnHourItTakesWhatWasPlayedMeanwhile) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  CallingWorker worker = Joined("w");
  const auto held = worker.Acquire(4);
  ASSERT_THAT(held->leases, SizeIs(1));
  const std::vector<SubmittedGame> games = CallingWorker::Play(held->leases[0]);
  coordinator_.reset();
  clock_.Advance(absl::Hours(1));
  Start(absl::ZeroDuration());
  // Time while the coordinator was down does not count against a lease.
  EXPECT_EQ(StatusOf(run).leases, 1u);
  CallingWorker again = Joined("w");
  for (const SubmittedGame& game : games) EXPECT_EQ(again.SubmitOne(game), Verdict::kAccepted);
  EXPECT_EQ(again.Work(), 10 - static_cast<int>(games.size()));
  EXPECT_EQ(StatusOf(run).state, "done");
  coordinator_.reset();
  ExpectCleanAudit(10);
}

TEST_F(CoordinatorTest, AClockThatJumpsLosesAndDoublesNothing) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(12));
  CallingWorker worker = Joined("w");
  const auto first = worker.Acquire(2);
  ASSERT_THAT(first->leases, SizeIs(1));
  // An hour ahead: every lease has ended, and what was played under it is taken late.
  clock_.Advance(absl::Hours(1));
  while (StatusOf(run).leases != 0) std::this_thread::yield();
  for (const SubmittedGame& game : CallingWorker::Play(first->leases[0])) {
    EXPECT_EQ(worker.SubmitOne(game), Verdict::kStaleAccepted);
  }
  // Two hours back: leases of that time go on, and so does the run, over a restart too.
  const auto second = worker.Acquire(2);
  ASSERT_THAT(second->leases, SizeIs(1));
  clock_.Advance(-absl::Hours(2));
  for (const SubmittedGame& game : CallingWorker::Play(second->leases[0])) {
    EXPECT_EQ(worker.SubmitOne(game), Verdict::kAccepted);
  }
  const auto third = worker.Acquire(2);
  ASSERT_THAT(third->leases, SizeIs(1));
  coordinator_.reset();
  clock_.Advance(-absl::Hours(24));
  Start(absl::ZeroDuration());
  CallingWorker again = Joined("w");
  for (const SubmittedGame& game : CallingWorker::Play(third->leases[0])) {
    EXPECT_EQ(again.SubmitOne(game), Verdict::kAccepted);
  }
  again.Work();
  EXPECT_EQ(StatusOf(run).state, "done");
  coordinator_.reset();
  EXPECT_EQ(Audited().mismatches, 0u);
  const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  EXPECT_EQ(CheckInvariants(*store, rules_, {})->violations, 0u);
}

TEST_F(CoordinatorTest, RefusesGamesOfAnotherEpoch) {
  Start(absl::ZeroDuration());
  Create(ToySpec(10));
  CallingWorker worker = Joined("w");
  const Lease lease = worker.Acquire(1)->leases.at(0);
  worker.epoch = "0123";
  const auto verdicts = worker.Submit(CallingWorker::Play(lease));
  EXPECT_TRUE(absl::IsFailedPrecondition(verdicts.status()));
  EXPECT_EQ(ProblemOf(verdicts.status()).code, "epoch");
}

TEST_F(CoordinatorTest, AFullDiskPausesTheRunAndLosesNothingAcknowledged) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(2000));
  CallingWorker worker = Joined("w");
  std::vector<SubmittedGame> games;
  while (games.size() < 400) {
    const auto work = worker.Acquire();
    ASSERT_TRUE(work.ok());
    for (const Lease& lease : work->leases) {
      for (SubmittedGame& game : CallingWorker::Play(lease)) games.push_back(std::move(game));
    }
  }
  testing::FileSizeLimit disk;
  disk.Set(std::filesystem::file_size(path_ + "-wal") + 40'000);
  std::vector<SubmittedGame> refused;
  uint64_t accepted = 0;
  for (const SubmittedGame& game : games) {
    const auto verdicts = worker.Submit({game});
    if (verdicts.ok()) {
      EXPECT_EQ(verdicts->at(0).verdict, Verdict::kAccepted);
      ++accepted;
    } else {
      EXPECT_TRUE(absl::IsResourceExhausted(verdicts.status())) << verdicts.status();
      refused.push_back(game);
    }
  }
  ASSERT_GT(accepted, 0u);
  ASSERT_FALSE(refused.empty());
  RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "paused");
  EXPECT_THAT(status.reason, ::testing::AnyOf(::testing::HasSubstr("disk_full"),
                                              ::testing::HasSubstr("io_error")));
  EXPECT_EQ(status.games_done, accepted);
  auto waiting = worker.AcquireLater(4);
  EXPECT_THAT(waiting.get()->leases, IsEmpty()) << "no new work that could not be kept";
  clock_.Advance(absl::Hours(1));  // and no lease runs out meanwhile

  disk.Lift();
  while (StatusOf(run).state != "running") std::this_thread::yield();
  for (const SubmittedGame& game : refused) EXPECT_EQ(worker.SubmitOne(game), Verdict::kAccepted);
  EXPECT_EQ(StatusOf(run).games_done, 400u);
  coordinator_.reset();
  ExpectCleanAudit(400);
}

TEST_F(CoordinatorTest, SlotsThatCannotBeWrittenWithTheirGamesAreTakenBack) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(2000));
  CallingWorker worker = Joined("w");
  const auto work = worker.Acquire(4);
  ASSERT_TRUE(work.ok()) << work.status();
  const auto games = CallingWorker::Play(work->leases.at(0));
  testing::FileSizeLimit disk;
  disk.Set(std::filesystem::file_size(path_ + "-wal"));
  EXPECT_TRUE(absl::IsResourceExhausted(worker.SubmitAsking(games, 4).status()));
  EXPECT_EQ(StatusOf(run).slots_in_flight, games.size()) << "those that are being played";

  disk.Lift();
  while (StatusOf(run).state != "running") std::this_thread::yield();
  const auto output = worker.SubmitAsking(games, 4);
  ASSERT_TRUE(output.ok()) << output.status();
  for (const GameVerdict& verdict : output->verdicts) {
    EXPECT_EQ(verdict.verdict, Verdict::kAccepted) << verdict.reason;
  }
  ASSERT_THAT(output->work->leases, SizeIs(1));
  EXPECT_EQ(StatusOf(run).slots_in_flight, output->work->leases[0].slots.size());
  coordinator_.reset();
  ExpectCleanAudit(games.size());
}

TEST_F(CoordinatorTest, ADiskThatFillsUpStopsTheWorkFirst) {
  std::atomic<uint64_t> free_mib = 100'000;
  Coordinator::Options options;
  options.db_path = path_;
  options.acquire_wait = absl::Hours(1);
  options.disk_space = [&](const std::string& path) {
    EXPECT_EQ(path, path_);
    return DiskSpace{free_mib << 20, uint64_t{1} << 40};
  };
  coordinator_ = Coordinator::Start(options, rules_, clock_).value();
  const RunId run = Create(ToySpec(1000));
  CallingWorker worker = Joined("w1");
  const auto work = worker.Acquire(2);
  ASSERT_TRUE(work.ok() && !work->leases.empty());
  const auto reach = [&](uint64_t mib, const std::string& state) {
    free_mib = mib;
    clock_.Advance(absl::Seconds(2));
    while (StatusOf(run).state != state) std::this_thread::yield();
  };

  reach(1'000, "paused");
  EXPECT_THAT(StatusOf(run).reason, ::testing::HasSubstr("nearly full"));
  auto waiting = worker.AcquireLater(2);
  CallingWorker other = Joined("w2");
  EXPECT_EQ(worker.SubmitOne(PlaySlot(run, work->leases[0].lease, work->leases[0].slots[0])),
            Verdict::kAccepted);

  free_mib = 100;
  clock_.Advance(absl::Seconds(2));
  while (other.TryJoin(other.Introduction()).ok()) std::this_thread::yield();
  EXPECT_EQ(ProblemOf(other.TryJoin(other.Introduction()).status()).code, "disk_low");
  EXPECT_EQ(ProblemOf(coordinator_->operators().CreateRun(ToySpec(5), "").status()).code,
            "disk_low");
  EXPECT_EQ(worker.SubmitOne(PlaySlot(run, work->leases[0].lease, work->leases[0].slots[1])),
            Verdict::kAccepted);

  reach(100'000, "running");
  const auto granted = waiting.get();
  ASSERT_TRUE(granted.ok()) << granted.status();
  EXPECT_FALSE(granted->leases.empty());
}

TEST_F(CoordinatorTest, ARestoredBackupRefusesTheGamesOfTheLostEpoch) {
  Start();
  const RunId run = Create(ToySpec(100));
  std::string lost_epoch;
  std::vector<SubmittedGame> after;
  {
    CallingWorker worker = Joined("w1");
    lost_epoch = worker.epoch;
    const auto before = worker.Acquire();
    ASSERT_TRUE(before.ok() && !before->leases.empty());
    ASSERT_TRUE(worker.Submit(CallingWorker::Play(before->leases[0])).ok());
    ASSERT_TRUE(book::BackUp(path_, folder_ / "backup").ok());
    const auto lost = worker.Acquire();
    ASSERT_TRUE(lost.ok() && !lost->leases.empty());
    after = CallingWorker::Play(lost->leases[0]);
    ASSERT_TRUE(worker.Submit(after).ok());
  }
  EXPECT_EQ(ProblemOf(book::RestoreBackup(folder_ / "backup", path_).status()).code,
            "coordinator_running");
  coordinator_.reset();
  ASSERT_TRUE(book::RestoreBackup(folder_ / "backup", path_).ok());

  Start();
  EXPECT_EQ(StatusOf(run).games_done, 4u);
  CallingWorker worker = Joined("w1");
  EXPECT_NE(worker.epoch, lost_epoch);
  const std::string epoch = std::exchange(worker.epoch, lost_epoch);
  EXPECT_EQ(ProblemOf(worker.Submit(after).status()).code, "epoch");
  worker.epoch = epoch;
  // Even declared as games of this epoch, they belong to no lease of it, past or future.
  for (const SubmittedGame& game : after) EXPECT_EQ(worker.SubmitOne(game), Verdict::kRejected);
  const auto work = worker.Acquire();
  ASSERT_TRUE(work.ok() && !work->leases.empty());
  EXPECT_GT(work->leases[0].lease, after[0].lease + 1000);
  for (const SubmittedGame& game : CallingWorker::Play(work->leases[0])) {
    EXPECT_EQ(worker.SubmitOne(game), Verdict::kAccepted);
  }
  coordinator_.reset();
  ExpectCleanAudit(8);
}

}  // namespace
}  // namespace joseki::coordinator
