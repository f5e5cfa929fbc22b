#include "coordinator/coordinator.h"

#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "coordinator/offline/audit.h"
#include "coordinator/offline/invariants.h"
#include "coordinator/store/book_store.h"
#include "coordinator/store/run_store.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_backup.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using testing::FaultOf;
using ::testing::IsEmpty;
using testing::PlaySlot;
using ::testing::SizeIs;
using testing::ToySpec;

constexpr uint64_t kSignature = 77;

// Calls with a callback, as calls with an answer.
class Worker {
 public:
  Worker(Coordinator& coordinator, std::string name) : coordinator_(coordinator), name_(name) {}

  JoinInput Introduction() const {
    JoinInput input;
    input.worker = name_;
    input.protocol = kProtocol;
    input.slots = 4;
    input.engines = {{"toy-engine", "Toy", kSignature, "", "test"}};
    return input;
  }
  absl::StatusOr<JoinOutput> TryJoin(JoinInput input) {
    auto answer = std::make_shared<std::promise<absl::StatusOr<JoinOutput>>>();
    auto result = answer->get_future();
    coordinator_.Join(std::move(input),
                      [answer](auto output) { answer->set_value(std::move(output)); });
    return result.get();
  }
  void Join() {
    const auto output = TryJoin(Introduction());
    ASSERT_TRUE(output.ok()) << output.status();
    session = output->session;
    epoch = output->epoch;
  }
  std::future<absl::StatusOr<AcquireOutput>> AcquireLater(uint32_t want = 4) {
    auto answer = std::make_shared<std::promise<absl::StatusOr<AcquireOutput>>>();
    auto result = answer->get_future();
    coordinator_.Acquire({session, want, {}},
                         [answer](auto output) { answer->set_value(std::move(output)); });
    return result;
  }
  absl::StatusOr<AcquireOutput> Acquire(uint32_t want = 4) { return AcquireLater(want).get(); }
  absl::StatusOr<std::vector<GameVerdict>> Submit(std::vector<SubmittedGame> games) {
    auto answer = std::make_shared<std::promise<absl::StatusOr<std::vector<GameVerdict>>>>();
    auto result = answer->get_future();
    coordinator_.Submit({session, epoch, std::move(games)},
                        [answer](absl::StatusOr<SubmitOutput> output) {
                          if (!output.ok()) return answer->set_value(output.status());
                          answer->set_value(std::move(output->verdicts));
                        });
    return result.get();
  }
  Verdict SubmitOne(const SubmittedGame& game) {
    const auto verdicts = Submit({game});
    EXPECT_TRUE(verdicts.ok()) << verdicts.status();
    return verdicts.ok() ? verdicts->at(0).verdict : Verdict::kRejected;
  }
  absl::Status Leave(std::vector<SlotRef> unplayed) {
    auto answer = std::make_shared<std::promise<absl::Status>>();
    auto result = answer->get_future();
    coordinator_.Leave(session, std::move(unplayed),
                       [answer](absl::Status status) { answer->set_value(std::move(status)); });
    return result.get();
  }
  static std::vector<SubmittedGame> Play(const Lease& lease) {
    std::vector<SubmittedGame> games;
    for (const Slot& slot : lease.slots) games.push_back(PlaySlot(lease.run, lease.lease, slot));
    return games;
  }
  // Plays until there is nothing to do; every game is sent twice, as after a lost answer.
  int Work() {
    int accepted = 0;
    for (;;) {
      const auto work = Acquire();
      if (!work.ok() || work->leases.empty()) return accepted;
      for (const Lease& lease : work->leases) {
        const auto games = Play(lease);
        const auto verdicts = Submit(games);
        EXPECT_TRUE(verdicts.ok()) << verdicts.status();
        if (!verdicts.ok()) return accepted;
        for (const GameVerdict& verdict : *verdicts) {
          EXPECT_EQ(verdict.verdict, Verdict::kAccepted) << verdict.reason;
          ++accepted;
        }
        const auto again = Submit(games);
        EXPECT_TRUE(again.ok()) << again.status();
        if (!again.ok()) return accepted;
        for (const GameVerdict& verdict : *again) {
          EXPECT_EQ(verdict.verdict, Verdict::kDuplicate) << verdict.reason;
        }
      }
    }
  }

  SessionId session = 0;
  std::string epoch;

 private:
  Coordinator& coordinator_;
  const std::string name_;
};

class CoordinatorTest : public ::testing::Test {
 protected:
  CoordinatorTest() : path_(folder_ / "book.sqlite") { testing::WriteToyBook(path_); }

  void Start(absl::Duration acquire_wait = absl::Hours(1)) {
    Coordinator::Options options;
    options.db_path = path_;
    options.acquire_wait = acquire_wait;
    options.lease_term = absl::Seconds(90);
    options.slots_per_lease = 4;
    options.checkpoint_rows = 7;
    auto coordinator = Coordinator::Start(options, rules_, clock_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
  }
  RunId Create(const RunSpec& spec, const std::string& request = "") {
    const auto created = coordinator_->CreateRun(spec, request);
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? created->run : 0;
  }
  Worker Joined(const std::string& name) {
    Worker worker(*coordinator_, name);
    worker.Join();
    return worker;
  }
  RunStatus StatusOf(RunId run) { return coordinator_->GetStatus(run).runs.at(0); }
  AuditReport Audited() {
    auto store = Store::Open(path_, OpenMode::kReadOnly).value();
    return Audit(*store, rules_).value();
  }
  void ExpectCleanAudit(uint64_t games) {
    const AuditReport report = Audited();
    EXPECT_EQ(report.games, games);
    EXPECT_EQ(report.mismatches, 0u);
    EXPECT_THAT(report.first, IsEmpty());
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_;
  testing::FakeClock clock_;
  std::unique_ptr<Coordinator> coordinator_;
};

TEST_F(CoordinatorTest, PlaysARunToItsEnd) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(50));
  Worker worker = Joined("w1");
  EXPECT_EQ(worker.Work(), 50);
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.games_done, 50u);
  EXPECT_EQ(status.duplicates, 50u);
  EXPECT_EQ(status.slots_in_flight, 0u);
  EXPECT_EQ(coordinator_->GetStatus(0).workers.at(0).games, 50u);
  const auto position = coordinator_->GetPosition(run, "");
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

TEST_F(CoordinatorTest, ALargeAnswerIsPlannedInTurnsAndComesWhole) {
  Start();
  const RunId run = Create(ToySpec(5000));
  Worker worker = Joined("w1");
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
  ASSERT_TRUE(coordinator_->PauseRun(run).ok());
  std::vector<Worker> workers;
  std::vector<std::future<absl::StatusOr<AcquireOutput>>> answers;
  for (int i = 0; i < 150; ++i) {
    workers.push_back(Joined("w" + std::to_string(i)));
    answers.push_back(workers.back().AcquireLater(4));
  }
  // More than are told of at once, each as it is now.
  workers[7].Join();
  std::map<std::string, SessionId> told;
  for (const WorkerStatus& worker : coordinator_->GetStatus(0).workers) {
    EXPECT_TRUE(told.emplace(worker.worker, worker.session).second) << worker.worker;
  }
  EXPECT_EQ(told.size(), 150u);
  EXPECT_EQ(told["w7"], workers[7].session);
  ASSERT_TRUE(coordinator_->ResumeRun(run).ok());
  for (size_t i = 0; i < answers.size(); ++i) {
    const auto work = answers[i].get();
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
      Worker worker(*coordinator_, "w" + std::to_string(i));
      worker.Join();
      // An empty answer may come while the others hold the last slots of a stage.
      while (StatusOf(staged).state == "running" || StatusOf(online).state == "running") {
        accepted += worker.Work();
        EXPECT_TRUE(coordinator_->Beat(worker.session, {}).ok());
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
      Worker worker(*coordinator_, "w" + std::to_string(i));
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
  const auto store = Store::Open(path_, OpenMode::kReadOnly).value();
  EXPECT_EQ(LoadRun(*store, rules_, run)->times.games_read, 0u) << "the last one has everything";
}

TEST_F(CoordinatorTest, GoesOnAfterARestart) {
  Start(absl::ZeroDuration());
  RunSpec spec = ToySpec(60, "result-driven");
  spec.policy_options = {{"delta", "4,2"}, {"rand", "8"}};
  const RunId run = Create(spec, "request-1");
  auto worker = std::make_unique<Worker>(Joined("w1"));
  const auto first = worker->Acquire();
  ASSERT_THAT(first->leases, SizeIs(1));
  ASSERT_TRUE(worker->Submit(Worker::Play(first->leases[0])).ok());
  const auto held = worker->Acquire();
  ASSERT_THAT(held->leases, SizeIs(1));
  const std::vector<SubmittedGame> games = Worker::Play(held->leases[0]);
  ASSERT_EQ(worker->SubmitOne(games[0]), Verdict::kAccepted);
  const auto before = coordinator_->GetPosition(run, "");

  coordinator_.reset();
  clock_.Advance(absl::Hours(8));
  Start(absl::ZeroDuration());
  EXPECT_EQ(Create(spec, "request-1"), run) << "the request is remembered";
  EXPECT_EQ(StatusOf(run).games_done, 5u);
  EXPECT_EQ(StatusOf(run).slots_in_flight, 3u) << "the live lease has a new term";
  const auto after = coordinator_->GetPosition(run, "");
  ASSERT_EQ(after->moves.size(), before->moves.size());
  for (size_t i = 0; i < after->moves.size(); ++i) {
    EXPECT_EQ(after->moves[i].weight, before->moves[i].weight);
    EXPECT_EQ(after->moves[i].evidence, before->moves[i].evidence);
    EXPECT_EQ(after->moves[i].in_flight, before->moves[i].in_flight);
  }

  // The worker's session is gone, its lease is not.
  Worker again(*coordinator_, "w1");
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
      Worker worker = Joined("w");
      const auto work = worker.Acquire();
      for (const Lease& lease : work->leases) {
        ASSERT_TRUE(worker.Submit(Worker::Play(lease)).ok());
      }
      if (!restart) continue;
      coordinator_.reset();
      coordinator_ = Coordinator::Start(options, rules_, clock_).value();
    }
    ends.push_back(coordinator_->GetPosition(run, "")->moves);
    coordinator_.reset();
  }
  ASSERT_EQ(ends[0].size(), ends[1].size());
  for (size_t i = 0; i < ends[0].size(); ++i) {
    EXPECT_EQ(ends[0][i].move, ends[1][i].move);
    EXPECT_EQ(ends[0][i].weight, ends[1][i].weight);
    EXPECT_EQ(ends[0][i].evidence, ends[1][i].evidence);
  }
}

TEST_F(CoordinatorTest, GivesAnExpiredSlotOutAgainAndStillTakesTheLateGame) {
  Start();
  const RunId run = Create(ToySpec(2));
  Worker slow = Joined("slow");
  Worker fast = Joined("fast");
  const auto held = slow.Acquire(1);
  ASSERT_THAT(held->leases, SizeIs(1));
  ASSERT_THAT(held->leases[0].slots, SizeIs(1));
  const auto other = fast.Acquire(1);
  ASSERT_EQ(fast.SubmitOne(Worker::Play(other->leases[0])[0]), Verdict::kAccepted);
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

  EXPECT_THAT(coordinator_->Beat(slow.session, {{held->leases[0].lease, 5}})->cancelled, SizeIs(1));
  const SubmittedGame late = Worker::Play(held->leases[0])[0];
  EXPECT_EQ(slow.SubmitOne(late), Verdict::kStaleAccepted);
  EXPECT_EQ(slow.SubmitOne(late), Verdict::kDuplicate);
  EXPECT_EQ(StatusOf(run).stale_accepted, 1u);
  EXPECT_EQ(fast.SubmitOne(Worker::Play(again->leases[0])[0]), Verdict::kAccepted);
  EXPECT_EQ(StatusOf(run).state, "done");
  coordinator_.reset();
  ExpectCleanAudit(3);
}

TEST_F(CoordinatorTest, TakesALateGameAfterARestart) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  Worker worker = Joined("w");
  const auto held = worker.Acquire(1);
  clock_.Advance(absl::Seconds(91));
  while (StatusOf(run).leases != 0) std::this_thread::yield();
  coordinator_.reset();
  Start(absl::ZeroDuration());
  EXPECT_EQ(StatusOf(run).leases, 0u) << "expired stays expired";
  Worker again = Joined("w");
  const auto next = again.Acquire(1);
  ASSERT_THAT(next->leases, SizeIs(1));
  EXPECT_EQ(next->leases[0].slots[0].line, held->leases[0].slots[0].line);
  EXPECT_EQ(again.SubmitOne(Worker::Play(held->leases[0])[0]), Verdict::kStaleAccepted);
}

TEST_F(CoordinatorTest, GoneForAnHourItTakesWhatWasPlayedMeanwhile) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  Worker worker = Joined("w");
  const auto held = worker.Acquire(4);
  ASSERT_THAT(held->leases, SizeIs(1));
  const std::vector<SubmittedGame> games = Worker::Play(held->leases[0]);
  coordinator_.reset();
  clock_.Advance(absl::Hours(1));
  Start(absl::ZeroDuration());
  // Time in which nobody listened is not held against a lease.
  EXPECT_EQ(StatusOf(run).leases, 1u);
  Worker again = Joined("w");
  for (const SubmittedGame& game : games) EXPECT_EQ(again.SubmitOne(game), Verdict::kAccepted);
  EXPECT_EQ(again.Work(), 10 - static_cast<int>(games.size()));
  EXPECT_EQ(StatusOf(run).state, "done");
  coordinator_.reset();
  ExpectCleanAudit(10);
}

TEST_F(CoordinatorTest, AClockThatJumpsLosesAndDoublesNothing) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(12));
  Worker worker = Joined("w");
  const auto first = worker.Acquire(2);
  ASSERT_THAT(first->leases, SizeIs(1));
  // An hour ahead: every lease has ended, and what was played under it is taken late.
  clock_.Advance(absl::Hours(1));
  while (StatusOf(run).leases != 0) std::this_thread::yield();
  for (const SubmittedGame& game : Worker::Play(first->leases[0])) {
    EXPECT_EQ(worker.SubmitOne(game), Verdict::kStaleAccepted);
  }
  // Two hours back: leases of that time go on, and so does the run, over a restart too.
  const auto second = worker.Acquire(2);
  ASSERT_THAT(second->leases, SizeIs(1));
  clock_.Advance(-absl::Hours(2));
  for (const SubmittedGame& game : Worker::Play(second->leases[0])) {
    EXPECT_EQ(worker.SubmitOne(game), Verdict::kAccepted);
  }
  const auto third = worker.Acquire(2);
  ASSERT_THAT(third->leases, SizeIs(1));
  coordinator_.reset();
  clock_.Advance(-absl::Hours(24));
  Start(absl::ZeroDuration());
  Worker again = Joined("w");
  for (const SubmittedGame& game : Worker::Play(third->leases[0])) {
    EXPECT_EQ(again.SubmitOne(game), Verdict::kAccepted);
  }
  again.Work();
  EXPECT_EQ(StatusOf(run).state, "done");
  coordinator_.reset();
  EXPECT_EQ(Audited().mismatches, 0u);
  const auto store = Store::Open(path_, OpenMode::kReadOnly).value();
  EXPECT_EQ(CheckInvariants(*store, rules_, {})->violations, 0u);
}

TEST_F(CoordinatorTest, ProgressKeepsALease) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  Worker worker = Joined("w");
  const LeaseId lease = worker.Acquire(1)->leases.at(0).lease;
  for (uint32_t plies = 1; plies < 5; ++plies) {
    clock_.Advance(absl::Seconds(80));
    EXPECT_THAT(coordinator_->Beat(worker.session, {{lease, plies}})->cancelled, IsEmpty());
  }
  EXPECT_EQ(StatusOf(run).leases, 1u);
  clock_.Advance(absl::Seconds(80));
  EXPECT_THAT(coordinator_->Beat(worker.session, {{lease, 4}})->cancelled, IsEmpty());
  clock_.Advance(absl::Seconds(11));
  while (StatusOf(run).leases != 0) std::this_thread::yield();
}

TEST_F(CoordinatorTest, KeepsAConflictAside) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  Worker worker = Joined("w");
  const Lease lease = worker.Acquire(2)->leases.at(0);
  const SubmittedGame game = Worker::Play(lease)[0];
  EXPECT_EQ(worker.SubmitOne(game), Verdict::kAccepted);
  SubmittedGame other = game;
  other.nodes += 1;
  EXPECT_EQ(worker.SubmitOne(other), Verdict::kConflict);
  EXPECT_EQ(StatusOf(run).conflicts, 1u);
  EXPECT_EQ(StatusOf(run).games_done, 1u);
  coordinator_.reset();
  ExpectCleanAudit(1);
}

TEST_F(CoordinatorTest, RejectsWhatItNeverHandedOut) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(10));
  Worker worker = Joined("w");
  Worker thief = Joined("thief");
  const Lease lease = worker.Acquire(1)->leases.at(0);
  const SubmittedGame game = Worker::Play(lease)[0];
  const auto reason = [](Worker& sender, SubmittedGame sent) {
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

TEST_F(CoordinatorTest, RefusesGamesOfAnotherEpoch) {
  Start(absl::ZeroDuration());
  Create(ToySpec(10));
  Worker worker = Joined("w");
  const Lease lease = worker.Acquire(1)->leases.at(0);
  worker.epoch = "0123";
  const auto verdicts = worker.Submit(Worker::Play(lease));
  EXPECT_TRUE(absl::IsFailedPrecondition(verdicts.status()));
  EXPECT_EQ(ProblemOf(verdicts.status()).code, "epoch");
}

TEST_F(CoordinatorTest, ReissuesFaultsAndPoisonsALineThatAlwaysFails) {
  Start(absl::ZeroDuration());
  RunSpec spec = ToySpec(20);
  spec.deviation = 0;
  const RunId run = Create(spec);
  Worker worker = Joined("w");
  const std::vector<Move> bad = worker.Acquire(1)->leases.at(0).slots.at(0).line;
  // That line crashes the engine, always; all others are played.
  clock_.Advance(absl::Seconds(91));
  while (StatusOf(run).leases != 0) std::this_thread::yield();
  int crashes = 0;
  while (StatusOf(run).state == "running") {
    const auto work = worker.Acquire(4);
    for (const Lease& lease : work->leases) {
      std::vector<SubmittedGame> games = Worker::Play(lease);
      for (size_t i = 0; i < games.size(); ++i) {
        if (lease.slots[i].line != bad) continue;
        games[i] = FaultOf(lease.run, lease.lease, lease.slots[i]);
        ++crashes;
      }
      ASSERT_TRUE(worker.Submit(games).ok());
    }
  }
  EXPECT_GE(crashes, 2);
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.poisoned_lines, 1u);
  EXPECT_EQ(status.faults, static_cast<uint64_t>(crashes));
  EXPECT_EQ(status.games_done, 20u);
  EXPECT_EQ(status.terminations.at(Termination::kCrash), static_cast<uint64_t>(crashes));
  coordinator_.reset();
  Start(absl::ZeroDuration());
  EXPECT_EQ(StatusOf(run).poisoned_lines, 1u);
  coordinator_.reset();
  ExpectCleanAudit(20 + static_cast<uint64_t>(crashes));
}

TEST_F(CoordinatorTest, LeavingGivesSlotsBackAtOnce) {
  Start();
  Create(ToySpec(4));
  Worker leaver = Joined("leaver");
  const Lease held = leaver.Acquire(4)->leases.at(0);
  ASSERT_THAT(held.slots, SizeIs(4));
  Worker stayer = Joined("stayer");
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
  Worker worker = Joined("w");
  const Lease held = worker.Acquire(2)->leases.at(0);
  EXPECT_EQ(*coordinator_->PauseRun(run), "paused");
  auto waiting = worker.AcquireLater(2);
  EXPECT_EQ(worker.Submit(Worker::Play(held))->at(0).verdict, Verdict::kAccepted);
  EXPECT_EQ(StatusOf(run).slots_in_flight, 0u);
  coordinator_.reset();
  EXPECT_EQ(ProblemOf(waiting.get().status()).code, "shutting_down");
  Start();
  EXPECT_EQ(StatusOf(run).state, "paused") << "kept over a restart";
  Worker again = Joined("w");
  waiting = again.AcquireLater(2);
  EXPECT_EQ(*coordinator_->ResumeRun(run), "running");
  EXPECT_THAT(waiting.get()->leases, SizeIs(1));
  EXPECT_EQ(*coordinator_->StopRun(run), "stopped");
  EXPECT_EQ(ProblemOf(coordinator_->ResumeRun(run).status()).code, "run_state");
  EXPECT_TRUE(absl::IsNotFound(coordinator_->PauseRun(99).status()));
}

TEST_F(CoordinatorTest, StoppingCancelsLeasesAndKeepsLateGames) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(20));
  Worker worker = Joined("w");
  const Lease held = worker.Acquire(1)->leases.at(0);
  ASSERT_TRUE(coordinator_->StopRun(run).ok());
  EXPECT_THAT(coordinator_->Beat(worker.session, {{held.lease, 9}})->cancelled, SizeIs(1));
  EXPECT_EQ(worker.SubmitOne(Worker::Play(held)[0]), Verdict::kStaleAccepted);
  EXPECT_EQ(StatusOf(run).state, "stopped");
  EXPECT_EQ(StatusOf(run).games_done, 1u);
}

TEST_F(CoordinatorTest, DrainsOneWorkerOrAll) {
  Start();
  Create(ToySpec(20));
  Worker a = Joined("a");
  Worker b = Joined("b");
  EXPECT_EQ(coordinator_->Drain("a"), 1);
  EXPECT_TRUE(a.Acquire(1)->drain);
  EXPECT_FALSE(b.Acquire(1)->drain);
  EXPECT_TRUE(coordinator_->Beat(a.session, {})->drain);
  EXPECT_EQ(coordinator_->Drain("nobody"), 0);
  EXPECT_EQ(coordinator_->Drain(""), 2);
  EXPECT_TRUE(coordinator_->draining());
  EXPECT_TRUE(b.Acquire(1)->drain);
}

TEST_F(CoordinatorTest, ADrainAnswersHeldCalls) {
  Start();
  Worker a = Joined("a");
  auto waiting = a.AcquireLater(1);
  coordinator_->Drain("");
  EXPECT_TRUE(waiting.get()->drain);
}

TEST_F(CoordinatorTest, RefusesWorkersThatCannotServe) {
  Start(absl::ZeroDuration());
  Create(ToySpec(20));
  Worker worker(*coordinator_, "w");
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
  Worker first = Joined("w");
  Worker second = Joined("w");
  EXPECT_EQ(ProblemOf(first.Acquire(1).status()).code, "unknown_session");
  EXPECT_EQ(ProblemOf(coordinator_->Beat(first.session, {}).status()).code, "unknown_session");
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

TEST_F(CoordinatorTest, RefusesRunsThatCannotBe) {
  Start(absl::ZeroDuration());
  RunSpec spec = ToySpec(10);
  spec.play.nodes = 0;
  EXPECT_TRUE(absl::IsInvalidArgument(coordinator_->CreateRun(spec, "").status()));
  spec = ToySpec(10);
  spec.start = "3-4 b 1";
  EXPECT_EQ(ProblemOf(coordinator_->CreateRun(spec, "").status()).code, "start_not_in_book");
  EXPECT_THAT(coordinator_->GetStatus(0).runs, IsEmpty());
  const RunId run = Create(ToySpec(10), "same");
  EXPECT_EQ(Create(ToySpec(10), "same"), run);
  EXPECT_NE(Create(ToySpec(10), "another"), run);
  EXPECT_NE(Create(ToySpec(10)), Create(ToySpec(10))) << "no request id, no memory";
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
      Worker worker = Joined("w");
      const auto work = worker.Acquire();
      ASSERT_TRUE(work.ok()) << work.status();
      for (const Lease& lease : work->leases) {
        ASSERT_TRUE(worker.Submit(Worker::Play(lease)).ok());
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

TEST_F(CoordinatorTest, RefusesABookWithoutAChoice) {
  const std::string path = folder_ / "line.sqlite";
  {
    auto store = Store::Open(path, OpenMode::kCreate).value();
    BookImport import(*store, "games", "toy", "{}");
    for (const book::GraphInput& position : testing::ToyBook(4, "a1")) {
      for (const auto& move : position.moves) {
        ASSERT_TRUE(
            import.AddPlayed(position.packed, position.ply, move.move, false, {1, 1, 0, 0}).ok());
      }
    }
    ASSERT_TRUE(import.Commit(1, 0).ok());
  }
  Coordinator::Options options;
  options.db_path = path;
  auto coordinator = Coordinator::Start(options, rules_, clock_).value();
  const absl::Status refused = coordinator->CreateRun(ToySpec(10), "").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_EQ(ProblemOf(refused).code, "no_choice");
}

TEST_F(CoordinatorTest, RefusesARunOnAnEmptyBook) {
  const std::string path = folder_ / "empty.sqlite";
  ASSERT_TRUE(Store::Open(path, OpenMode::kCreate).ok());
  Coordinator::Options options;
  options.db_path = path;
  auto coordinator = Coordinator::Start(options, rules_, clock_).value();
  const absl::Status refused = coordinator->CreateRun(ToySpec(10), "").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_EQ(ProblemOf(refused).code, "start_not_in_book");
}

// Runs of two engines on one book: neither knows the other's games.
TEST_F(CoordinatorTest, EvidenceOfAnotherEngineIsNotARuns) {
  Start(absl::ZeroDuration());
  const RunId first = Create(ToySpec(20));
  EXPECT_EQ(Joined("w").Work(), 20);
  RunSpec other = ToySpec(20);
  other.play.engine_signature = kSignature + 1;
  const RunId second = Create(other);
  const absl::StatusOr<PositionEvidence> of_second = coordinator_->GetPosition(second, "");
  for (const MoveEvidence& move : of_second->moves) {
    EXPECT_EQ(move.evidence, book::Evidence());
  }
  uint32_t games = 0;
  const absl::StatusOr<PositionEvidence> of_first = coordinator_->GetPosition(first, "");
  for (const MoveEvidence& move : of_first->moves) {
    games += move.evidence.played();
  }
  EXPECT_GT(games, 0u);
  // A worker with the first engine has nothing to do here.
  Worker worker(*coordinator_, "again");
  EXPECT_EQ(ProblemOf(worker.TryJoin(worker.Introduction()).status()).code, "engine");
}

// The kernel lets no file of this process grow beyond a limit: a full disk, for SQLite.
class FileSizeLimit {
 public:
  FileSizeLimit() : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) { getrlimit(RLIMIT_FSIZE, &old_); }
  ~FileSizeLimit() {
    Lift();
    std::signal(SIGXFSZ, old_handler_);
  }
  void Set(uint64_t bytes) {
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  void Lift() { setrlimit(RLIMIT_FSIZE, &old_); }

 private:
  void (*old_handler_)(int);
  rlimit old_{};
};

TEST_F(CoordinatorTest, AFullDiskPausesTheRunAndLosesNothingAcknowledged) {
  Start(absl::ZeroDuration());
  const RunId run = Create(ToySpec(2000));
  Worker worker = Joined("w");
  std::vector<SubmittedGame> games;
  while (games.size() < 400) {
    const auto work = worker.Acquire();
    ASSERT_TRUE(work.ok());
    for (const Lease& lease : work->leases) {
      for (SubmittedGame& game : Worker::Play(lease)) games.push_back(std::move(game));
    }
  }
  FileSizeLimit disk;
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

TEST_F(CoordinatorTest, RunsForATime) {
  Start();
  RunSpec spec = ToySpec(0);
  spec.seconds = 100;
  const RunId run = Create(spec);
  Worker worker = Joined("w");
  const Lease held = worker.Acquire(1)->leases.at(0);
  clock_.Advance(absl::Seconds(60));
  ASSERT_EQ(worker.SubmitOne(Worker::Play(held)[0]), Verdict::kAccepted);
  EXPECT_EQ(StatusOf(run).state, "running");
  clock_.Advance(absl::Seconds(60));
  while (StatusOf(run).state != "done") std::this_thread::yield();
  EXPECT_EQ(StatusOf(run).reason, "the time is used up");
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
  Worker worker = Joined("w1");
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
  Worker other = Joined("w2");
  EXPECT_EQ(worker.SubmitOne(PlaySlot(run, work->leases[0].lease, work->leases[0].slots[0])),
            Verdict::kAccepted);

  free_mib = 100;
  clock_.Advance(absl::Seconds(2));
  while (other.TryJoin(other.Introduction()).ok()) std::this_thread::yield();
  EXPECT_EQ(ProblemOf(other.TryJoin(other.Introduction()).status()).code, "disk_low");
  EXPECT_EQ(ProblemOf(coordinator_->CreateRun(ToySpec(5), "").status()).code, "disk_low");
  EXPECT_EQ(worker.SubmitOne(PlaySlot(run, work->leases[0].lease, work->leases[0].slots[1])),
            Verdict::kAccepted);

  reach(100'000, "running");
  const auto granted = waiting.get();
  ASSERT_TRUE(granted.ok()) << granted.status();
  EXPECT_FALSE(granted->leases.empty());
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

TEST_F(CoordinatorTest, ARestoredBackupRefusesTheGamesOfTheLostEpoch) {
  Start();
  const RunId run = Create(ToySpec(100));
  std::string lost_epoch;
  std::vector<SubmittedGame> after;
  {
    Worker worker = Joined("w1");
    lost_epoch = worker.epoch;
    const auto before = worker.Acquire();
    ASSERT_TRUE(before.ok() && !before->leases.empty());
    ASSERT_TRUE(worker.Submit(Worker::Play(before->leases[0])).ok());
    ASSERT_TRUE(BackUp(path_, folder_ / "backup").ok());
    const auto lost = worker.Acquire();
    ASSERT_TRUE(lost.ok() && !lost->leases.empty());
    after = Worker::Play(lost->leases[0]);
    ASSERT_TRUE(worker.Submit(after).ok());
  }
  EXPECT_EQ(ProblemOf(RestoreBackup(folder_ / "backup", path_).status()).code,
            "coordinator_running");
  coordinator_.reset();
  ASSERT_TRUE(RestoreBackup(folder_ / "backup", path_).ok());

  Start();
  EXPECT_EQ(StatusOf(run).games_done, 4u);
  Worker worker = Joined("w1");
  EXPECT_NE(worker.epoch, lost_epoch);
  const std::string epoch = std::exchange(worker.epoch, lost_epoch);
  EXPECT_EQ(ProblemOf(worker.Submit(after).status()).code, "epoch");
  worker.epoch = epoch;
  // Even told as games of this epoch, they are of no lease that it gave out or will.
  for (const SubmittedGame& game : after) EXPECT_EQ(worker.SubmitOne(game), Verdict::kRejected);
  const auto work = worker.Acquire();
  ASSERT_TRUE(work.ok() && !work->leases.empty());
  EXPECT_GT(work->leases[0].lease, after[0].lease + 1000);
  for (const SubmittedGame& game : Worker::Play(work->leases[0])) {
    EXPECT_EQ(worker.SubmitOne(game), Verdict::kAccepted);
  }
  coordinator_.reset();
  ExpectCleanAudit(8);
}

}  // namespace
}  // namespace joseki::coordinator
