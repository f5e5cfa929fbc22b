// Every verb of the coordinator at once, from many threads, over a disk that fails: for the thread
// sanitizer above all.

#include <SQLiteCpp/SQLiteCpp.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/database/store.h"
#include "book/database/store_backup.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/audit.h"
#include "coordinator/offline/invariants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fault_vfs.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using testing::FaultPoint;
using ::testing::IsEmpty;

constexpr int kWorkers = 6;
constexpr int kWrongWorker = 5;  // plays other games than the others for the same slots
constexpr size_t kRuns = 3;
constexpr uint64_t kGames = 100;

class HammerTest : public ::testing::Test {
 protected:
  HammerTest()
      : path_(folder_ / "book.sqlite"), vfs_(faults_, {.real_sync = false, .wal_pages = 50}) {
    testing::WriteToyBook(path_);
    spdlog::set_level(spdlog::level::off);
  }
  ~HammerTest() override { spdlog::set_level(spdlog::level::info); }

  template <typename Reply>
  static Reply Wait(const std::function<void(std::function<void(Reply)>)>& call) {
    std::promise<Reply> reply;
    call([&reply](Reply given) { reply.set_value(std::move(given)); });
    return reply.get_future().get();
  }
  // Like a worker's back-off; no result depends on its length.
  static void PauseABit() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

  bool Done() {
    const ClusterStatus status = coordinator_->readers().GetStatus(0);
    return status.runs.size() == kRuns &&
           std::all_of(status.runs.begin(), status.runs.end(),
                       [](const RunStatus& run) { return run.state == "done"; });
  }

  void Work(int worker) {
    Rng rng(static_cast<uint64_t>(worker));
    JoinInput introduction;
    introduction.worker = "w" + std::to_string(worker);
    introduction.protocol = kProtocol;
    introduction.seats = 4;
    introduction.process = static_cast<uint64_t>(worker);
    introduction.engines = {{"toy-engine", "Toy", 77, "", "test"}};
    while (!Done()) {
      const auto session = Wait<absl::StatusOr<JoinOutput>>(
          [&](auto done) { coordinator_->workers().Join(introduction, std::move(done)); });
      if (!session.ok()) {
        PauseABit();
        continue;
      }
      PlayInSession(*session, worker == kWrongWorker, rng);
    }
  }

  // Works until the worker leaves, loses its session or has nothing to do. Half of the leases are
  // requested with a Submit.
  void PlayInSession(const JoinOutput& session, bool wrong, Rng& rng) {
    std::optional<AcquireOutput> work;
    for (;;) {
      if (!work) {
        AcquireInput input;
        input.session = session.session;
        input.want_slots = 1 + static_cast<uint32_t>(rng.Below(6));
        auto acquired = Wait<absl::StatusOr<AcquireOutput>>(
            [&](auto done) { coordinator_->workers().Acquire(input, std::move(done)); });
        if (acquired.ok()) work = *std::move(acquired);
      }
      if (!work || work->leases.empty()) {
        PauseABit();
        return;
      }
      std::vector<LeaseProgress> progress;
      std::vector<SubmittedGame> games;
      const std::vector<Lease> leases = std::move(work->leases);
      work.reset();
      for (const Lease& lease : leases) {
        progress.push_back({lease.lease, 5});
        for (Slot slot : lease.slots) {
          slot.seed += wrong;
          games.push_back(rng.Below(30) == 0 ? testing::FaultOf(lease.run, lease.lease, slot)
                                             : testing::PlaySlot(lease.run, lease.lease, slot));
        }
      }
      coordinator_->workers().Beat(session.session, progress).IgnoreError();
      const uint64_t fate = rng.Below(12);
      if (fate == 0) return;  // as if killed
      if (fate == 1) {
        std::vector<SlotRef> unplayed;
        for (const SubmittedGame& game : games) unplayed.push_back({game.lease, game.slot});
        Wait<absl::Status>([&](auto done) {
          coordinator_->workers().Leave(session.session, unplayed, std::move(done));
        }).IgnoreError();
        return;
      }
      const int times = fate == 2 ? 2 : 1;  // the second as after a lost reply
      for (int time = 0; time < times; ++time) {
        const uint32_t want_slots = time == 0 ? static_cast<uint32_t>(rng.Below(2) * 4) : 0;
        if (!SubmitUntilReplied(session, games, want_slots, work)) return;
      }
    }
  }

  // False if the session was lost.
  bool SubmitUntilReplied(const JoinOutput& session, const std::vector<SubmittedGame>& games,
                          uint32_t want_slots, std::optional<AcquireOutput>& work) {
    for (;;) {
      auto output = Wait<absl::StatusOr<SubmitOutput>>([&](auto done) {
        SubmitInput input;
        input.work.session = session.session;
        input.epoch = session.epoch;
        input.games = games;
        input.work.want_slots = want_slots;
        coordinator_->workers().Submit(std::move(input), std::move(done));
      });
      if (absl::IsFailedPrecondition(output.status())) return false;
      if (!output.ok()) {
        PauseABit();
        continue;
      }
      if (output->work && !output->work->leases.empty()) {
        with_replies_ += output->work->leases.size();
        work = *std::move(output->work);
      }
      const std::lock_guard lock(mutex_);
      for (const GameVerdict& verdict : output->verdicts) {
        EXPECT_NE(verdict.verdict, Verdict::kRejected) << verdict.reason;
        EXPECT_NE(verdict.verdict, Verdict::kConflict) << verdict.reason;
        acknowledged_.emplace_back(verdict.lease, verdict.slot);
      }
      return true;
    }
  }

  void Operate(RunId run) {
    while (!Done()) {
      coordinator_->operators().PauseRun(run).IgnoreError();
      PauseABit();
      // The run must not stay paused, whatever the disk does.
      while (!Done() && coordinator_->readers().GetStatus(run).runs.at(0).state == "paused") {
        coordinator_->operators().ResumeRun(run).IgnoreError();
        PauseABit();
      }
      for (int i = 0; i < 10 && !Done(); ++i) PauseABit();
    }
  }

  // Blocks workers and lets them play again, moves priorities, drains, asks for a run twice.
  void Govern(RunId run, const RunSpec& spec) {
    constexpr int kBlocks = 4;  // each removes games, which must be played again
    Rng rng(99);
    for (int round = 0; !Done(); ++round) {
      const std::string worker = "w" + std::to_string(rng.Below(kWrongWorker));
      if (round < kBlocks) {
        coordinator_->operators().BlockWorker(worker, "by hand", /*unseen=*/false).IgnoreError();
        PauseABit();
        const bool keep_out = rng.Below(2) == 0;
        // The worker must not stay blocked, whatever the disk does.
        while (!Done() && !absl::IsFailedPrecondition(
                              coordinator_->operators().UnblockWorker(worker, keep_out))) {
          PauseABit();
        }
      }
      const auto priority = static_cast<uint32_t>(rng.Below(3));
      coordinator_->operators()
          .SetPriority(run, priority, 1 + static_cast<uint32_t>(rng.Below(200)))
          .IgnoreError();
      coordinator_->operators().Drain(worker);
      PauseABit();
      coordinator_->operators().Undrain("").IgnoreError();
      const auto again = coordinator_->operators().CreateRun(spec, spec.name);
      EXPECT_EQ(again.ok() ? again->run : run, run);
      for (int i = 0; i < 10 && !Done(); ++i) PauseABit();
    }
  }

  // One copy of the book while all the others work; what was acknowledged before is in it.
  void TakeABackup() {
    while (!Done()) {
      {
        const std::lock_guard lock(mutex_);
        before_backup_ = acknowledged_;
      }
      if (book::BackUp(path_, Backup()).ok()) return;
      PauseABit();
    }
  }
  std::string Backup() const { return folder_ / "backup.sqlite"; }

  void Read(RunId run) {
    while (!Done()) {
      coordinator_->readers().GetPosition(run, "").IgnoreError();
      const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly);
      if (!store.ok()) continue;
      const auto report = Audit(**store, rules_);
      if (!report.ok()) continue;
      EXPECT_THAT(report->first, IsEmpty());
      PauseABit();
    }
  }

  // One failure of each kind, each as soon as there is such an operation.
  void BreakTheDisk() {
    for (const FaultPoint point :
         {FaultPoint::kWalWrite, FaultPoint::kWalSync, FaultPoint::kDbWrite, FaultPoint::kDbSync}) {
      faults_.torn = static_cast<uint32_t>(point) % 2;
      faults_.Fail(point, 1);
      while (!Done() && faults_.Failed(point) == 0) PauseABit();
    }
    faults_.full = 1;
    for (int i = 0; i < 10; ++i) PauseABit();
    faults_.full = 0;
    for (auto& fail : faults_.fail) fail = 0;
  }

  // A restored copy has all that was acknowledged before it, and takes no game of the lost epoch.
  void ComeBackFromTheBackup(const std::string& lost_epoch) {
    const std::string path = folder_ / "restored.sqlite";
    const auto restored = book::RestoreBackup(Backup(), path);
    ASSERT_TRUE(restored.ok()) << restored.status();
    EXPECT_EQ(restored->lost_epoch, lost_epoch);
    {
      const auto store = book::Store::Open(path, book::OpenMode::kReadOnly).value();
      const InvariantReport report = CheckInvariants(*store, rules_, before_backup_).value();
      EXPECT_THAT(report.first, IsEmpty());
    }
    coordinator_ = Coordinator::Start({.db_path = path}, rules_).value();
    JoinInput introduction;
    introduction.worker = "w0";
    introduction.protocol = kProtocol;
    introduction.seats = 1;
    introduction.engines = {{"toy-engine", "Toy", 77, "", "test"}};
    const auto session = Wait<absl::StatusOr<JoinOutput>>(
        [&](auto done) { coordinator_->workers().Join(introduction, std::move(done)); });
    ASSERT_TRUE(session.ok()) << session.status();
    EXPECT_NE(session->epoch, lost_epoch);
    const auto late = Wait<absl::StatusOr<SubmitOutput>>([&](auto done) {
      SubmitInput input;
      input.work.session = session->session;
      input.epoch = lost_epoch;
      coordinator_->workers().Submit(std::move(input), std::move(done));
    });
    EXPECT_EQ(ProblemOf(late.status()).code, "epoch");
    coordinator_.reset();
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  testing::FaultControl faults_;
  testing::FaultVfs vfs_;
  std::unique_ptr<Coordinator> coordinator_;
  std::mutex mutex_;
  std::vector<std::pair<LeaseId, uint32_t>> acknowledged_;   // guarded by mutex_
  std::vector<std::pair<LeaseId, uint32_t>> before_backup_;  // guarded by mutex_
  std::atomic<size_t> with_replies_ = 0;  // leases that came with the reply to a Submit
};

TEST_F(HammerTest, EveryVerbAtOnceOverAFailingDisk) {
  Coordinator::Options options;
  options.db_path = path_;
  options.acquire_wait = absl::Milliseconds(20);
  options.lease_term = absl::Seconds(1);
  options.slots_per_lease = 4;
  options.checkpoint = absl::Milliseconds(50);
  coordinator_ = Coordinator::Start(options, rules_).value();
  RunSpec staged = testing::ToySpec(kGames, "result-driven");
  staged.policy_options = {{"delta", "4,2,1"}, {"rand", "8"}};
  const RunId first = coordinator_->operators().CreateRun(staged, "").value().run;
  RunSpec online = testing::ToySpec(kGames);
  online.verify_percent = 5;
  const RunId second = coordinator_->operators().CreateRun(online, "").value().run;
  RunSpec urgent = testing::ToySpec(kGames);
  urgent.name = "urgent";
  urgent.share.priority = 9;
  const RunId third = coordinator_->operators().CreateRun(urgent, urgent.name).value().run;

  std::vector<std::thread> threads;
  for (int worker = 0; worker < kWorkers; ++worker) {
    threads.emplace_back([this, worker] { Work(worker); });
  }
  threads.emplace_back([this, first] { Operate(first); });
  threads.emplace_back([this, second] { Read(second); });
  threads.emplace_back([this, third, urgent] { Govern(third, urgent); });
  threads.emplace_back([this] { TakeABackup(); });
  threads.emplace_back([this] { BreakTheDisk(); });
  for (std::thread& thread : threads) thread.join();
  coordinator_.reset();

  const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  const InvariantReport report = CheckInvariants(*store, rules_, acknowledged_).value();
  EXPECT_THAT(report.first, IsEmpty());
  EXPECT_EQ(report.violations, 0u);
  EXPECT_GE(report.games, kRuns * kGames);
  EXPECT_GT(with_replies_, 0u);
  EXPECT_EQ(
      store->db()
          .execAndGet("SELECT count(*) FROM trust_changes WHERE by_check = 1 AND worker <> 'w" +
                      std::to_string(kWrongWorker) + "'")
          .getInt(),
      0);
  EXPECT_GT(faults_.Failed(FaultPoint::kWalSync), 0u);
  if (std::filesystem::exists(Backup())) ComeBackFromTheBackup(store->epoch());
}

}  // namespace
}  // namespace joseki::coordinator
