// Who gets slots, when, and what becomes of them: over the whole coordinator.

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/retry_after.h"
#include "base/rng.h"
#include "coordinator/coordinator_impl.h"
#include "coordinator/offline/audit.h"
#include "coordinator/store/store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spdlog/spdlog.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using testing::FaultOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::PlaySlot;
using ::testing::SizeIs;
using testing::ToySpec;

// A worker whose calls are answered while the coordinator is stepped by hand.
class Worker {
 public:
  Worker(CoordinatorImpl& coordinator, std::string name, uint64_t process = 0)
      : coordinator_(coordinator) {
    introduction.worker = std::move(name);
    introduction.protocol = kProtocol;
    introduction.slots = 4;
    introduction.engines = {{"toy-engine", "Toy", 77, "", "test"}};
    introduction.process = process;
  }

  absl::Status TryJoin() {
    std::optional<absl::StatusOr<JoinOutput>> answer;
    coordinator_.Join(introduction, [&answer](auto output) { answer = std::move(output); });
    Settle(answer);
    if (!answer->ok()) return answer->status();
    joined = **answer;
    return absl::OkStatus();
  }
  Worker& Join() {
    const absl::Status status = TryJoin();
    EXPECT_TRUE(status.ok()) << status;
    return *this;
  }

  using Held = std::shared_ptr<std::optional<absl::StatusOr<AcquireOutput>>>;
  Held AcquireLater(uint32_t want, std::optional<LeaseId> after = {}) {
    auto answer = std::make_shared<std::optional<absl::StatusOr<AcquireOutput>>>();
    coordinator_.Acquire({joined.session, want, {}, after},
                         [answer](auto output) { *answer = std::move(output); });
    return answer;
  }
  // What there is now; no leases if the call would be held.
  absl::StatusOr<AcquireOutput> Acquire(uint32_t want, std::optional<LeaseId> after = {}) {
    const Held answer = AcquireLater(want, after);
    coordinator_.Step();
    return answer->value_or(AcquireOutput());
  }
  std::vector<Lease> LeasesOf(uint32_t want) { return Acquire(want).value().leases; }
  std::shared_ptr<std::optional<absl::StatusOr<SubmitOutput>>> SubmitLater(
      std::vector<SubmittedGame> games, uint32_t want = 0) {
    auto answer = std::make_shared<std::optional<absl::StatusOr<SubmitOutput>>>();
    coordinator_.Submit({joined.session, joined.epoch, std::move(games), want, {}, {}},
                        [answer](auto output) { *answer = std::move(output); });
    return answer;
  }
  absl::StatusOr<SubmitOutput> Submit(std::vector<SubmittedGame> games, uint32_t want = 0) {
    const auto answer = SubmitLater(std::move(games), want);
    Settle(*answer);
    return **answer;
  }
  absl::StatusOr<BeatOutput> Beat(const std::vector<LeaseProgress>& progress = {}) {
    return coordinator_.Beat(joined.session, progress);
  }

  JoinInput introduction;
  JoinOutput joined;

 private:
  template <typename Answer>
  void Settle(std::optional<Answer>& answer) {
    for (int i = 0; i < 10 && !answer; ++i) coordinator_.Step();
    ASSERT_TRUE(answer.has_value());
  }

  CoordinatorImpl& coordinator_;
};

std::vector<SubmittedGame> Play(const Lease& lease) {
  std::vector<SubmittedGame> games;
  for (const Slot& slot : lease.slots) games.push_back(PlaySlot(lease.run, lease.lease, slot));
  return games;
}

uint32_t SlotsOf(const AcquireOutput& work) {
  uint32_t slots = 0;
  for (const Lease& lease : work.leases) slots += static_cast<uint32_t>(lease.slots.size());
  return slots;
}

class SchedulingTest : public ::testing::Test {
 protected:
  SchedulingTest() : path_(folder_ / "book.sqlite") {
    spdlog::set_level(spdlog::level::warn);  // ten thousand workers join
    testing::WriteToyBook(path_);
  }

  void Start(Pressure::Options pressure = {}) {
    coordinator_.reset();
    Coordinator::Options options;
    options.db_path = path_;
    options.own_threads = false;
    options.pressure = pressure;
    auto started = Coordinator::Start(options, rules_, clock_);
    ASSERT_TRUE(started.ok()) << started.status();
    coordinator_.reset(static_cast<CoordinatorImpl*>(started->release()));
  }
  RunId Create(const RunSpec& spec) {
    const auto created = coordinator_->CreateRun(spec, "");
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? created->run : 0;
  }
  RunId Create(Share share) {
    RunSpec spec = ToySpec(100'000);
    spec.share = share;
    return Create(spec);
  }
  Worker Of(const std::string& name, uint64_t process = 0) {
    return Worker(*coordinator_, name, process);
  }
  RunStatus StatusOf(RunId run) { return coordinator_->GetStatus(run).runs.at(0); }
  std::map<std::string, std::string> WorkerStates() {
    std::map<std::string, std::string> states;
    for (const WorkerStatus& worker : coordinator_->GetStatus(0).workers) {
      states[worker.worker] = worker.state;
    }
    return states;
  }
  void Wait(absl::Duration time) {
    clock_.Advance(time);
    coordinator_->Step();
  }
  uint64_t CleanlyAuditedGames() {
    coordinator_.reset();
    const auto store = Store::Open(path_, OpenMode::kReadOnly).value();
    const AuditReport report = Audit(*store, rules_).value();
    EXPECT_EQ(report.mismatches, 0u);
    return report.games;
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  testing::FakeClock clock_;
  std::unique_ptr<CoordinatorImpl> coordinator_;
};

TEST_F(SchedulingTest, AWorkerThatIsStartedAgainHoldsNothingAnyMore) {
  Start();
  const RunId run = Create(ToySpec(4));
  Worker killed = Of("w", 1).Join();
  const auto held = killed.Acquire(4);
  ASSERT_EQ(SlotsOf(*held), 4u);
  Worker other = Of("other").Join();
  const Worker::Held waiting = other.AcquireLater(4);
  coordinator_->Step();
  ASSERT_FALSE(waiting->has_value());

  Worker again = Of("w", 2).Join();
  coordinator_->Step();
  ASSERT_TRUE(waiting->has_value()) << "no lease had to run out for this";
  const AcquireOutput work = *waiting->value();
  EXPECT_EQ(SlotsOf(work), 1u) << "two workers share what is left";
  EXPECT_EQ(work.leases[0].slots[0].line, held->leases[0].slots[0].line);
  EXPECT_NE(work.leases[0].slots[0].seed, held->leases[0].slots[0].seed);
  EXPECT_EQ(ProblemOf(killed.Beat().status()).code, "unknown_session");

  // What the killed process had spooled is a game like any other.
  const auto late = again.Submit({Play(held->leases[0])[3]});
  ASSERT_TRUE(late.ok());
  EXPECT_EQ(late->verdicts[0].verdict, Verdict::kStaleAccepted);
  EXPECT_EQ(StatusOf(run).stale_accepted, 1u);
  const auto rest = again.Acquire(4);
  EXPECT_EQ(SlotsOf(*rest), 1u) << "one of two that are left";
}

TEST_F(SchedulingTest, TheSameProcessKeepsItsLeasesWhenItJoinsAgain) {
  Start();
  Create(ToySpec(100));
  Worker worker = Of("w", 7).Join();
  const Lease lease = worker.Acquire(2)->leases.at(0);
  Worker untold = Of("untold").Join();
  const Lease kept = untold.Acquire(2)->leases.at(0);
  untold.Join();
  EXPECT_THAT(untold.Beat({{kept.lease, 0}})->cancelled, IsEmpty()) << "who does not say";

  worker.Join();
  EXPECT_THAT(worker.Beat({{lease.lease, 0}})->cancelled, IsEmpty());
  // Nor does the coordinator forget whose they are.
  Start();
  Worker joined = Of("w", 7).Join();
  EXPECT_THAT(joined.Beat({{lease.lease, 0}})->cancelled, IsEmpty());
  const auto verdicts = joined.Submit(Play(lease));
  EXPECT_EQ(verdicts->verdicts.at(0).verdict, Verdict::kAccepted);
}

TEST_F(SchedulingTest, AWorkerThatIsStartedAgainWithItsCoordinatorHoldsNothingEither) {
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

// Two nodes are given one name by mistake: one of them works on, the other is told.
TEST_F(SchedulingTest, ASecondWorkerOfOneNameIsRefusedOnceTheFirstIsSeenAlive) {
  Start();
  Create(ToySpec(100));
  Worker first = Of("w", 1);
  first.introduction.instance = 10;
  first.Join();
  const Lease lease = first.Acquire(2)->leases.at(0);
  Worker second = Of("w", 2);
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
  Worker restarted = Of("w", 3);
  restarted.introduction.instance = 10;
  EXPECT_TRUE(restarted.TryJoin().ok());
}

TEST_F(SchedulingTest, AWorkerThatMovedGetsItsNameOnceTheOldOneIsSilent) {
  Start();
  Worker gone = Of("w", 1);
  gone.introduction.instance = 10;
  gone.Join();
  Worker moved = Of("w", 2);
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
  // Was it not gone after all, it hears so as it comes back.
  EXPECT_EQ(ProblemOf(gone.TryJoin()).code, "name_in_use");
}

// A copied spool folder, or workers that do not tell their instance: two processes that take turns.
TEST_F(SchedulingTest, AProcessThatWasFollowedDoesNotComeBack) {
  Start();
  Create(ToySpec(100));
  Worker first = Of("w", 1).Join();
  Worker second = Of("w", 2).Join();
  const Lease lease = second.Acquire(2)->leases.at(0);
  EXPECT_EQ(ProblemOf(first.Beat().status()).code, "unknown_session");
  const absl::Status refused = first.TryJoin();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ProblemOf(refused).code, "name_in_use");
  EXPECT_THAT(second.Beat({{lease.lease, 0}})->cancelled, IsEmpty());
}

// The Join of a process that was killed comes after that of the process which followed it.
TEST_F(SchedulingTest, ALateJoinShutsNobodyOut) {
  Start();
  Create(ToySpec(100));
  Worker living = Of("w", 2).Join();
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

TEST_F(SchedulingTest, ALineThatEndsItsWorkerThreeTimesIsPoisonedAndShown) {
  Start();
  RunSpec spec = ToySpec(1);
  const RunId run = Create(spec);
  std::vector<Move> line;
  for (uint64_t process = 1; process <= 3; ++process) {
    const auto work = Of("w", process).Join().Acquire(1);
    ASSERT_EQ(SlotsOf(*work), 1u);
    line = work->leases[0].slots[0].line;
  }
  Of("w", 4).Join();
  RunStatus status = StatusOf(run);
  ASSERT_THAT(status.poisoned, SizeIs(1));
  EXPECT_EQ(status.poisoned[0].line, line);
  EXPECT_EQ(status.poisoned[0].attempts, 3u);
  EXPECT_EQ(status.poisoned[0].reason, "worker started again");
  EXPECT_THAT(coordinator_->GetStatus(0).runs.at(0).poisoned, IsEmpty()) << "only of one run";
  coordinator_->Step();
  Start();
  EXPECT_EQ(StatusOf(run).poisoned, status.poisoned);
}

TEST_F(SchedulingTest, AnAnswerToSubmitBringsTheNextSlots) {
  Start();
  const RunId run = Create(ToySpec(7));
  Worker worker = Of("w").Join();
  auto work = worker.Acquire(4);
  ASSERT_EQ(SlotsOf(*work), 4u);
  auto output = worker.Submit(Play(work->leases[0]), 4);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_THAT(output->verdicts, SizeIs(4));
  ASSERT_TRUE(output->work.has_value());
  EXPECT_EQ(SlotsOf(*output->work), 3u) << "what the budget leaves";
  EXPECT_EQ(output->work->runs.count(run), 1u);
  EXPECT_GT(output->work->ahead, 0u);
  // Nothing is left; the answer comes all the same.
  output = worker.Submit(Play(output->work->leases[0]), 4);
  ASSERT_TRUE(output->work.has_value());
  EXPECT_THAT(output->work->leases, IsEmpty());
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_FALSE(worker.Submit({}, 0)->work.has_value()) << "nobody asked";
  coordinator_->Drain("w");
  EXPECT_TRUE(worker.Submit({}, 4)->work->drain);
  EXPECT_EQ(CleanlyAuditedGames(), 7u);
}

TEST_F(SchedulingTest, WhoeverWaitsIsServedBeforeWhoeverSubmits) {
  Start();
  const RunId run = Create(ToySpec(5));
  Worker submits = Of("submits", 1).Join();
  Worker waits = Of("waits").Join();
  Worker gone = Of("gone", 1).Join();
  const auto first = submits.Acquire(1);
  ASSERT_EQ(SlotsOf(*first), 1u);
  while (StatusOf(run).slots_in_flight < 5) ASSERT_GT(SlotsOf(*gone.Acquire(4)), 0u);
  const Worker::Held waiting = waits.AcquireLater(1);
  coordinator_->Step();
  ASSERT_FALSE(waiting->has_value());
  const Lease& lease = first->leases[0];
  const auto output = submits.Submit({FaultOf(lease.run, lease.lease, lease.slots[0])}, 4);
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(SlotsOf(*output->work), 0u);
  ASSERT_TRUE(waiting->has_value());
  EXPECT_EQ(SlotsOf(*waiting->value()), 1u);
}

TEST_F(SchedulingTest, LeasesOfALostAnswerAreAnsweredAgain) {
  Start();
  const RunId run = Create(ToySpec(100));
  Worker worker = Of("w", 5).Join();
  const auto lost = worker.Acquire(4, 0);
  ASSERT_EQ(SlotsOf(*lost), 4u);
  const auto again = worker.Acquire(3, 0);
  ASSERT_THAT(again->leases, SizeIs(lost->leases.size()));
  EXPECT_EQ(again->leases[0].lease, lost->leases[0].lease);
  EXPECT_EQ(again->leases[0].slots, lost->leases[0].slots);
  EXPECT_EQ(again->runs.count(run), 1u);
  EXPECT_EQ(StatusOf(run).slots_in_flight, 4u) << "nothing new";
  // Also by a coordinator that was killed before it could answer.
  Start();
  Worker joined = Of("w", 5).Join();
  const auto after_restart = joined.Acquire(3, 0);
  ASSERT_THAT(after_restart->leases, SizeIs(1));
  EXPECT_EQ(after_restart->leases[0].lease, lost->leases[0].lease);
  const auto next = joined.Acquire(3, lost->leases.back().lease);
  ASSERT_THAT(next->leases, SizeIs(1));
  EXPECT_GT(next->leases[0].lease, lost->leases.back().lease);
  EXPECT_NE(joined.Acquire(1)->leases.at(0).lease, next->leases[0].lease) << "nobody asked";
}

TEST_F(SchedulingTest, AWorkerThatIsNotHeardOfLosesItsLeasesBeforeTheirTerm) {
  Start();
  const RunId run = Create(ToySpec(1'000));
  Worker worker = Of("w", 1).Join();
  // Games of half a minute: four rounds of them are two minutes.
  std::vector<SubmittedGame> games = Play(worker.Acquire(1)->leases.at(0));
  games[0].think_ms = 30'000;
  ASSERT_TRUE(worker.Submit(games).ok());
  const Lease lease = worker.Acquire(4)->leases.at(0);
  EXPECT_EQ(lease.term, absl::Minutes(2));
  for (int beat = 0; beat < 5; ++beat) {
    Wait(absl::Seconds(20));
    EXPECT_THAT(worker.Beat({{lease.lease, 0}})->cancelled, IsEmpty());
  }
  EXPECT_EQ(StatusOf(run).leases, 1u) << "it lives, and its engine thinks";
  Wait(absl::Seconds(21));
  EXPECT_EQ(StatusOf(run).leases, 0u) << "nothing was played for the whole term";

  const Lease silent = worker.Acquire(4)->leases.at(0);
  EXPECT_EQ(silent.term, absl::Minutes(2));
  Wait(absl::Seconds(59));
  EXPECT_EQ(StatusOf(run).leases, 1u);
  Wait(absl::Seconds(2));
  EXPECT_EQ(StatusOf(run).leases, 0u);
}

TEST_F(SchedulingTest, RunsShareTheSlotsByPriorityAndWeight) {
  Start();
  const RunId low = Create(Share{.priority = 4});
  const RunId third = Create(Share{.priority = 5, .weight = 100});
  const RunId rest = Create(Share{.priority = 5, .weight = 200});
  Worker worker = Of("w").Join();
  const auto hand_out = [&](uint32_t slots) {
    std::map<RunId, uint32_t> counts;
    while (slots > 0) {
      const auto work = worker.Acquire(std::min<uint32_t>(slots, 2));
      EXPECT_TRUE(work.ok()) << work.status();
      if (!work.ok() || work->leases.empty()) break;
      for (const Lease& lease : work->leases) {
        counts[lease.run] += static_cast<uint32_t>(lease.slots.size());
        slots -= static_cast<uint32_t>(lease.slots.size());
      }
    }
    return counts;
  };
  EXPECT_THAT(hand_out(120), ElementsAre(Pair(third, 40), Pair(rest, 80)));
  ASSERT_TRUE(coordinator_->PauseRun(rest).ok());
  EXPECT_THAT(hand_out(10), ElementsAre(Pair(third, 10)));
  ASSERT_TRUE(coordinator_->PauseRun(third).ok());
  EXPECT_THAT(hand_out(10), ElementsAre(Pair(low, 10)));
  ASSERT_TRUE(coordinator_->ResumeRun(rest).ok());
  EXPECT_THAT(hand_out(10), ElementsAre(Pair(rest, 10)));

  const auto share = coordinator_->SetPriority(low, 9, 0);
  ASSERT_TRUE(share.ok()) << share.status();
  EXPECT_EQ(share->priority, 9u);
  EXPECT_EQ(share->weight, 100u) << "as it was";
  EXPECT_THAT(hand_out(10), ElementsAre(Pair(low, 10)));
  EXPECT_TRUE(absl::IsNotFound(coordinator_->SetPriority(99, 1, 0).status()));
  EXPECT_EQ(coordinator_->SetPriority(third, 5, 300)->weight, 300u);
  Start();
  EXPECT_EQ(StatusOf(low).spec.share.priority, 9u) << "kept";
  EXPECT_EQ(StatusOf(third).spec.share.weight, 300u);
  Worker again = Of("again").Join();
  EXPECT_EQ(again.Acquire(2)->leases.at(0).run, low);
}

TEST_F(SchedulingTest, OnlyWorkersThatServeARunGetItsSlots) {
  Start();
  Worker plain = Of("plain").Join();
  Worker strong = Of("strong");
  strong.introduction.labels = {{"gpu", "yes"}};
  strong.introduction.memory_mb = 4096;
  strong.introduction.cores = 2;
  strong.Join();
  const Worker::Held plain_waits = plain.AcquireLater(1);
  const Worker::Held strong_waits = strong.AcquireLater(1);
  coordinator_->Step();
  RunSpec spec = ToySpec(100);
  spec.requirements = {.labels = {{"gpu", "yes"}}, .memory_mb = 4096, .cores = 2};
  const RunId run = Create(spec);
  coordinator_->Step();
  EXPECT_FALSE(plain_waits->has_value());
  ASSERT_TRUE(strong_waits->has_value()) << "a new run finds whoever waits";
  EXPECT_EQ(SlotsOf(*strong_waits->value()), 1u);
  EXPECT_EQ(StatusOf(run).servers, 1u);
  EXPECT_EQ(coordinator_->GetStatus(0).workers.at(1).labels.at("gpu"), "yes");

  // Its engine is another one; but it would not be asked to play this run.
  Worker other_engine = Of("other");
  other_engine.introduction.engines[0].signature = 78;
  EXPECT_TRUE(other_engine.TryJoin().ok());
  other_engine.introduction.labels = strong.introduction.labels;
  other_engine.introduction.memory_mb = 4096;
  other_engine.introduction.cores = 2;
  EXPECT_EQ(ProblemOf(other_engine.TryJoin()).code, "engine");

  const RunId open = Create(ToySpec(100));
  coordinator_->Step();
  ASSERT_TRUE(plain_waits->has_value());
  EXPECT_EQ((*plain_waits)->value().leases.at(0).run, open);
  Start();
  EXPECT_EQ(StatusOf(run).spec.requirements, spec.requirements);
}

TEST_F(SchedulingTest, ADrainLastsUntilItIsUndone) {
  Start();
  Create(ToySpec(1'000));
  Worker a = Of("a").Join();
  Worker b = Of("b").Join();
  EXPECT_EQ(coordinator_->Drain("a"), 1);
  EXPECT_TRUE(a.Acquire(1)->drain);
  a.Join();
  EXPECT_TRUE(a.Acquire(1)->drain) << "also in another session";
  EXPECT_TRUE(a.Beat()->drain);
  EXPECT_THAT(WorkerStates(), ElementsAre(Pair("a", "draining"), Pair("b", "active")));
  coordinator_->Leave(a.joined.session, {}, [](const absl::Status&) {});
  coordinator_->Step();
  EXPECT_THAT(WorkerStates(), ElementsAre(Pair("a", "drained"), Pair("b", "active")));
  a.Join();
  EXPECT_EQ(coordinator_->Undrain("b"), 0);
  EXPECT_EQ(coordinator_->Undrain("a"), 1);
  EXPECT_FALSE(a.Beat()->drain);
  EXPECT_EQ(SlotsOf(*a.Acquire(1)), 1u);

  EXPECT_EQ(coordinator_->Drain(""), 2);
  EXPECT_TRUE(Of("c").Join().Acquire(1)->drain) << "whoever comes";
  EXPECT_EQ(coordinator_->Undrain(""), 3);
  EXPECT_FALSE(coordinator_->draining());
  EXPECT_EQ(SlotsOf(*b.Acquire(1)), 1u);
}

// Marks of so few games that a test can reach them, in games that wait while nobody steps.
constexpr Pressure::Options kSmall = {
    .no_readers = 2, .no_acquires = 4, .no_beats = 8, .no_submits = 12};

TEST_F(SchedulingTest, UnderLoadTheLeastDearIsSacrificedFirst) {
  Start(kSmall);
  const RunId run = Create(ToySpec(1'000));
  Worker worker = Of("w").Join();
  Worker idle = Of("idle").Join();
  std::vector<SubmittedGame> games;
  std::vector<LeaseProgress> progress;
  while (games.size() < 20) {
    for (const Lease& lease : worker.LeasesOf(4)) {
      progress.push_back({lease.lease, 0});
      for (SubmittedGame& game : Play(lease)) games.push_back(std::move(game));
    }
  }
  std::vector<std::shared_ptr<std::optional<absl::StatusOr<SubmitOutput>>>> answers;
  size_t next = 0;
  const auto submit = [&](size_t count) {
    std::vector<SubmittedGame> batch(games.begin() + static_cast<std::ptrdiff_t>(next),
                                     games.begin() + static_cast<std::ptrdiff_t>(next + count));
    next += count;
    answers.push_back(worker.SubmitLater(std::move(batch)));
  };
  EXPECT_TRUE(coordinator_->AdmitReader().ok());
  submit(2);
  const absl::Status reader = coordinator_->AdmitReader();
  EXPECT_TRUE(absl::IsResourceExhausted(reader));
  EXPECT_TRUE(RetryAfterOf(reader).has_value());
  EXPECT_FALSE(idle.AcquireLater(1)->has_value()) << "granted, and waits for the commit";

  submit(2);
  const Worker::Held refused = idle.AcquireLater(1);
  ASSERT_TRUE(refused->has_value());
  ASSERT_TRUE(refused->value().ok()) << "a normal answer";
  EXPECT_THAT((*refused)->value().leases, IsEmpty());
  EXPECT_GE((*refused)->value().retry, absl::Seconds(1));
  EXPECT_EQ(worker.Beat(progress)->beat, absl::Seconds(30)) << "come half as often";

  submit(4);
  clock_.Advance(absl::Hours(1));
  // Beats are not looked at now; so no lease may run out either.
  EXPECT_THAT(worker.Beat(progress)->cancelled, IsEmpty());
  submit(4);
  const auto full = worker.SubmitLater({games[next]});
  ASSERT_TRUE(full->has_value());
  EXPECT_TRUE(absl::IsResourceExhausted(full->value().status()));
  EXPECT_GE(RetryAfterOf(full->value().status()).value(), absl::Seconds(1));
  for (const auto& answer : answers) EXPECT_FALSE(answer->has_value());

  coordinator_->Step();
  for (const auto& answer : answers) {
    ASSERT_TRUE(answer->has_value());
    ASSERT_TRUE(answer->value().ok());
    for (const GameVerdict& verdict : (*answer)->value().verdicts) {
      EXPECT_EQ(verdict.verdict, Verdict::kAccepted) << "an hour late, and nobody's fault";
    }
  }
  EXPECT_TRUE(worker.Submit({games[next]}).ok());
  EXPECT_TRUE(coordinator_->AdmitReader().ok());
  EXPECT_EQ(SlotsOf(*idle.Acquire(1)), 1u);
  EXPECT_EQ(StatusOf(run).games_done, 13u);
}

TEST_F(SchedulingTest, WhoWaitedThroughTheLoadIsServedAfterIt) {
  Start(kSmall);
  Create(ToySpec(8));
  Worker worker = Of("w", 1).Join();
  std::vector<SubmittedGame> games;
  while (games.size() < 8) {
    for (const Lease& lease : worker.LeasesOf(4)) {
      for (const Slot& slot : lease.slots) {
        games.push_back(games.empty() ? FaultOf(lease.run, lease.lease, slot)
                                      : PlaySlot(lease.run, lease.lease, slot));
      }
    }
  }
  Worker waits = Of("waits").Join();
  const Worker::Held waiting = waits.AcquireLater(1);
  coordinator_->Step();
  const auto answer = worker.SubmitLater(games);
  coordinator_->Step();
  ASSERT_TRUE(answer->has_value());
  Wait(absl::Seconds(1));
  ASSERT_TRUE(waiting->has_value()) << "the slot of the fault";
  EXPECT_EQ(SlotsOf(*waiting->value()), 1u);
}

TEST_F(SchedulingTest, TenThousandHeldCallsCostNothingWhileOthersPlay) {
  Start();
  RunSpec spec = ToySpec(100'000);
  spec.requirements.labels = {{"plays", "yes"}};
  Create(spec);
  constexpr int kIdle = 10'000;
  std::vector<Worker::Held> held;
  std::vector<SessionId> sessions;
  std::atomic<int> joined = 0;
  for (int i = 0; i < kIdle; ++i) {
    Worker idle = Of("idle" + std::to_string(i));
    coordinator_->Join(idle.introduction, [&](auto output) {
      joined += output.ok();
      sessions.push_back(output->session);
    });
  }
  coordinator_->Step();
  ASSERT_EQ(joined, kIdle);
  for (const SessionId session : sessions) {
    auto answer = std::make_shared<std::optional<absl::StatusOr<AcquireOutput>>>();
    coordinator_->Acquire({session, 1, {}, {}}, [answer](auto output) { *answer = output; });
    held.push_back(std::move(answer));
  }
  Worker plays = Of("plays");
  plays.introduction.labels = {{"plays", "yes"}};
  plays.Join();
  for (int i = 0; i < 100; ++i) {
    const auto work = plays.Acquire(4);
    ASSERT_EQ(SlotsOf(*work), 4u);
    ASSERT_TRUE(plays.Submit(Play(work->leases[0])).ok());
  }
  for (const Worker::Held& answer : held) ASSERT_FALSE(answer->has_value());
  EXPECT_GT(plays.Beat()->beat, absl::Seconds(15)) << "so many call less often";
  EXPECT_EQ(plays.Beat()->spread, absl::Seconds(5));
  coordinator_->Drain("");
  for (const Worker::Held& answer : held) {
    ASSERT_TRUE(answer->has_value());
    EXPECT_TRUE((*answer)->value().drain);
  }
}

// Everything at once, on threads of its own: workers that play, are started again, leave and come
// back; an operator who changes shares, pauses, drains; readers. Nothing is lost, nothing counted
// twice. For the thread sanitizer.
TEST(SchedulingHammer, NothingIsLostOrCountedTwice) {
  const testing::TempFolder folder;
  const std::string path = folder / "book.sqlite";
  testing::WriteToyBook(path);
  const testing::ToyRules rules;
  const testing::FakeClock clock;
  Coordinator::Options options;
  options.db_path = path;
  options.acquire_wait = absl::ZeroDuration();
  options.slots_per_lease = 3;
  options.pressure = {.no_readers = 4, .no_acquires = 12, .no_beats = 20, .no_submits = 24};
  auto coordinator = Coordinator::Start(options, rules, clock).value();
  std::vector<RunId> runs;
  for (const uint32_t priority : {4, 5, 5}) {
    RunSpec spec = ToySpec(150);
    spec.share.priority = priority;
    runs.push_back(coordinator->CreateRun(spec, "").value().run);
  }

  std::atomic<bool> over = false;
  std::atomic<uint64_t> accepted = 0;
  const auto done = [&] {
    for (const RunStatus& run : coordinator->GetStatus(0).runs) {
      if (run.state != "done") return false;
    }
    return true;
  };
  const auto work = [&](uint64_t number) {
    Rng rng(number);
    std::vector<SubmittedGame> spool;
    while (!over) {
      JoinInput input;
      input.worker = "w" + std::to_string(number);
      input.protocol = kProtocol;
      input.slots = 4;
      input.engines = {{"toy-engine", "Toy", 77, "", "test"}};
      input.process = rng.Next();
      std::promise<absl::StatusOr<JoinOutput>> joining;
      coordinator->Join(input, [&](auto output) { joining.set_value(std::move(output)); });
      const auto joined = joining.get_future().get();
      if (!joined.ok()) continue;
      LeaseId newest = 0;
      for (int round = 0; round < 20 && !over; ++round) {
        std::promise<absl::StatusOr<SubmitOutput>> submitting;
        coordinator->Submit({joined->session, joined->epoch, spool, 3, {}, newest},
                            [&](auto output) { submitting.set_value(std::move(output)); });
        const auto output = submitting.get_future().get();
        if (!output.ok()) {
          EXPECT_TRUE(absl::IsResourceExhausted(output.status())) << output.status();
          continue;
        }
        for (const GameVerdict& verdict : output->verdicts) {
          EXPECT_TRUE(verdict.verdict == Verdict::kAccepted ||
                      verdict.verdict == Verdict::kStaleAccepted)
              << verdict.reason;
          ++accepted;
        }
        spool.clear();
        AcquireOutput next = *output->work;
        if (next.leases.empty()) {
          std::promise<absl::StatusOr<AcquireOutput>> acquiring;
          coordinator->Acquire({joined->session, 3, {}, newest},
                               [&](auto answer) { acquiring.set_value(std::move(answer)); });
          const auto answer = acquiring.get_future().get();
          if (answer.ok()) next = *answer;
          // Only who finds nothing to do asks whether all is over: asking takes the lock.
          if (next.leases.empty() && done()) over = true;
        }
        std::vector<LeaseProgress> progress;
        for (const Lease& lease : next.leases) {
          newest = std::max(newest, lease.lease);
          progress.push_back({lease.lease, 1});
          // Some of a lease is never played: its worker ends before.
          for (const Slot& slot : lease.slots) {
            if (rng.Below(8) > 0) spool.push_back(PlaySlot(lease.run, lease.lease, slot));
          }
        }
        EXPECT_TRUE(coordinator->Beat(joined->session, progress).ok());
      }
      // It is killed, or it leaves; what it had finished it sends in its next life.
      if (rng.Below(2) == 0) {
        std::promise<void> leaving;
        coordinator->Leave(joined->session, {}, [&](const absl::Status&) { leaving.set_value(); });
        leaving.get_future().get();
      }
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t number = 0; number < 4; ++number) threads.emplace_back(work, number);
  threads.emplace_back([&] {
    Rng rng(99);
    while (!over) {
      const RunId run = runs[rng.Below(runs.size())];
      coordinator->SetPriority(run, static_cast<uint32_t>(rng.Below(10)), 1 + run)
          .status()
          .IgnoreError();
      coordinator->PauseRun(run).status().IgnoreError();
      coordinator->Drain("w1");
      coordinator->GetStatus(run);
      coordinator->AdmitReader().IgnoreError();
      coordinator->Undrain("");
      coordinator->ResumeRun(run).status().IgnoreError();
    }
  });
  for (std::thread& thread : threads) thread.join();
  uint64_t counted = 0;
  for (const RunStatus& run : coordinator->GetStatus(0).runs) {
    EXPECT_EQ(run.slots_in_flight, 0u);
    counted += run.games_done + run.faults;
  }
  EXPECT_EQ(counted, accepted);
  coordinator.reset();
  const auto store = Store::Open(path, OpenMode::kReadOnly).value();
  const AuditReport report = Audit(*store, rules).value();
  EXPECT_EQ(report.games, accepted);
  EXPECT_EQ(report.mismatches, 0u);
}

}  // namespace
}  // namespace joseki::coordinator
