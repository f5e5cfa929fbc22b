// Tests scheduling over the whole coordinator: who gets slots, when, and what happens to them.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
using testing::FaultOf;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::PlaySlot;
using ::testing::SizeIs;
using testing::ToySpec;

class SchedulingTest : public SteppedTest {};

TEST_F(SchedulingTest, ALineThatEndsThreeWorkersIsPoisonedAndShown) {
  Start();
  RunSpec spec = ToySpec(1);
  const RunId run = Create(spec);
  std::vector<Move> line;
  for (const char* const name : {"w1", "w2", "w3"}) {
    const auto work = Of(name, 1).Join().Acquire(1);
    ASSERT_EQ(SlotsOf(*work), 1u);
    line = work->leases[0].slots[0].line;
    Of(name, 2).Join();
  }
  RunStatus status = StatusOf(run);
  ASSERT_THAT(status.poisoned, SizeIs(1));
  EXPECT_EQ(status.poisoned[0].line, line);
  EXPECT_EQ(status.poisoned[0].attempts, 3u);
  EXPECT_EQ(status.poisoned[0].reason, "worker started again");
  EXPECT_THAT(coordinator_->readers().GetStatus(0).runs.at(0).poisoned, IsEmpty())
      << "only of one run";
  coordinator_->Step();
  Start();
  EXPECT_EQ(StatusOf(run).poisoned, status.poisoned);
}

TEST_F(SchedulingTest, AReplyToSubmitBringsTheNextSlots) {
  Start();
  const RunId run = Create(ToySpec(7));
  SteppedWorker worker = Of("w").Join();
  auto work = worker.Acquire(4);
  ASSERT_EQ(SlotsOf(*work), 4u);
  auto output = worker.Submit(Play(work->leases[0]), 4);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_THAT(output->verdicts, SizeIs(4));
  ASSERT_TRUE(output->work.has_value());
  EXPECT_EQ(SlotsOf(*output->work), 3u) << "what the budget leaves";
  EXPECT_EQ(output->work->runs.count(run), 1u);
  EXPECT_GT(output->work->ahead, 0u);
  // Nothing is left; the reply comes all the same.
  output = worker.Submit(Play(output->work->leases[0]), 4);
  ASSERT_TRUE(output->work.has_value());
  EXPECT_THAT(output->work->leases, IsEmpty());
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_FALSE(worker.Submit({}, 0)->work.has_value()) << "nobody asked";
  coordinator_->operators().Drain("w");
  EXPECT_TRUE(worker.Submit({}, 4)->work->drain);
  EXPECT_EQ(CleanlyAuditedGames(), 7u);
}

TEST_F(SchedulingTest, WhoeverWaitsIsServedBeforeWhoeverSubmits) {
  Start();
  const RunId run = Create(ToySpec(5));
  SteppedWorker submits = Of("submits", 1).Join();
  SteppedWorker waits = Of("waits").Join();
  SteppedWorker gone = Of("gone", 1).Join();
  const auto first = submits.Acquire(1);
  ASSERT_EQ(SlotsOf(*first), 1u);
  while (StatusOf(run).slots_in_flight < 5) ASSERT_GT(SlotsOf(*gone.Acquire(4)), 0u);
  const SteppedWorker::Held waiting = waits.AcquireLater(1);
  coordinator_->Step();
  ASSERT_FALSE(waiting->has_value());
  const Lease& lease = first->leases[0];
  const auto output = submits.Submit({FaultOf(lease.run, lease.lease, lease.slots[0])}, 4);
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(SlotsOf(*output->work), 0u);
  ASSERT_TRUE(waiting->has_value());
  EXPECT_EQ(SlotsOf(*waiting->value()), 1u);
}

TEST_F(SchedulingTest, LeasesOfALostReplyAreGivenAgain) {
  Start();
  const RunId run = Create(ToySpec(100));
  SteppedWorker worker = Of("w", 5).Join();
  const auto lost = worker.Acquire(4, 0);
  ASSERT_EQ(SlotsOf(*lost), 4u);
  const auto again = worker.Acquire(3, 0);
  ASSERT_THAT(again->leases, SizeIs(lost->leases.size()));
  EXPECT_EQ(again->leases[0].lease, lost->leases[0].lease);
  EXPECT_EQ(again->leases[0].slots, lost->leases[0].slots);
  EXPECT_EQ(again->runs.count(run), 1u);
  EXPECT_EQ(StatusOf(run).slots_in_flight, 4u) << "nothing new";
  // Also by a coordinator that was killed before it could reply.
  Start();
  SteppedWorker joined = Of("w", 5).Join();
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
  SteppedWorker worker = Of("w", 1).Join();
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

TEST_F(SchedulingTest, WhoTakesSlotsAndPlaysNoneLeavesTheRestToOthers) {
  Start();
  const RunId run = Create(ToySpec(10'000));
  SteppedWorker greedy = Of("greedy", 1).Join();
  uint32_t taken = 0;
  LeaseId last = 0;
  for (int i = 0; i < 20; ++i) {
    const auto work = greedy.Acquire(1024, last);
    ASSERT_TRUE(work.ok());
    taken += SlotsOf(*work);
    if (!work->leases.empty()) last = work->leases.back().lease;
  }
  EXPECT_EQ(taken, StatusOf(run).slots_in_flight);
  EXPECT_EQ(taken, kMaxSlotsPerWorker);
  SteppedWorker honest = Of("honest").Join();
  EXPECT_EQ(SlotsOf(*honest.Acquire(4)), 4u);
}

// A worker's claims of progress are believed within bounds, so no stage waits for ever.
class ClaimsTest : public SteppedTest {
 protected:
  // Number of 45 s periods for which the worker keeps a lease of one slot by claiming a ply each
  // time.
  int ClaimsThatHold(const RunSpec& spec, bool after_a_game) {
    Start();
    const RunId run = Create(spec);
    SteppedWorker worker = Of("w").Join();
    if (after_a_game) {
      EXPECT_TRUE(worker.Submit(Play(worker.LeasesOf(1).at(0))).ok());
    }
    const LeaseId lease = worker.LeasesOf(1).at(0).lease;
    int claims = 0;
    while (StatusOf(run).leases > 0 && claims < 1000) {
      Wait(absl::Seconds(45));
      EXPECT_TRUE(worker.Beat({{lease, static_cast<uint32_t>(++claims)}}).ok());
    }
    return claims;
  }
};

TEST_F(ClaimsTest, EndWhereTheGamesHaveNoMorePlies) {
  RunSpec spec = ToySpec(100);
  spec.play.match.max_plies = 20;
  EXPECT_THAT(ClaimsThatHold(spec, /*after_a_game=*/false),
              ::testing::AllOf(::testing::Gt(18), ::testing::Lt(25)));
}

TEST_F(ClaimsTest, EndAfterTwoHoursWhereNoGameHasEverCome) {
  EXPECT_THAT(ClaimsThatHold(ToySpec(100), /*after_a_game=*/false),
              ::testing::AllOf(::testing::Gt(150), ::testing::Lt(165)));
}

TEST_F(ClaimsTest, EndAfterEightTermsWithoutAGame) {
  EXPECT_THAT(ClaimsThatHold(ToySpec(100), /*after_a_game=*/true),
              ::testing::AllOf(::testing::Gt(8), ::testing::Lt(14)));
}

TEST_F(SchedulingTest, RunsShareTheSlotsByPriorityAndWeight) {
  Start();
  const RunId low = Create(Share{.priority = 4});
  const RunId third = Create(Share{.priority = 5, .weight = 100});
  const RunId rest = Create(Share{.priority = 5, .weight = 200});
  SteppedWorker worker = Of("w").Join();
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
  ASSERT_TRUE(coordinator_->operators().PauseRun(rest).ok());
  EXPECT_THAT(hand_out(10), ElementsAre(Pair(third, 10)));
  ASSERT_TRUE(coordinator_->operators().PauseRun(third).ok());
  EXPECT_THAT(hand_out(10), ElementsAre(Pair(low, 10)));
  ASSERT_TRUE(coordinator_->operators().ResumeRun(rest).ok());
  EXPECT_THAT(hand_out(10), ElementsAre(Pair(rest, 10)));

  const auto share = coordinator_->operators().SetPriority(low, 9, 0);
  ASSERT_TRUE(share.ok()) << share.status();
  EXPECT_EQ(share->priority, 9u);
  EXPECT_EQ(share->weight, 100u) << "as it was";
  EXPECT_THAT(hand_out(10), ElementsAre(Pair(low, 10)));
  EXPECT_TRUE(absl::IsNotFound(coordinator_->operators().SetPriority(99, 1, 0).status()));
  EXPECT_EQ(coordinator_->operators().SetPriority(third, 5, 300)->weight, 300u);
  Start();
  EXPECT_EQ(StatusOf(low).spec.share.priority, 9u) << "kept";
  EXPECT_EQ(StatusOf(third).spec.share.weight, 300u);
  SteppedWorker again = Of("again").Join();
  EXPECT_EQ(again.Acquire(2)->leases.at(0).run, low);
}

TEST_F(SchedulingTest, OnlyWorkersThatServeARunGetItsSlots) {
  Start();
  SteppedWorker plain = Of("plain").Join();
  SteppedWorker strong = Of("strong");
  strong.introduction.labels = {{"gpu", "yes"}};
  strong.introduction.memory_mb = 4096;
  strong.introduction.cores = 2;
  strong.Join();
  const SteppedWorker::Held plain_waits = plain.AcquireLater(1);
  const SteppedWorker::Held strong_waits = strong.AcquireLater(1);
  coordinator_->Step();
  RunSpec spec = ToySpec(100);
  spec.requirements = {.labels = {{"gpu", "yes"}}, .memory_mb = 4096, .cores = 2};
  const RunId run = Create(spec);
  coordinator_->Step();
  EXPECT_FALSE(plain_waits->has_value());
  ASSERT_TRUE(strong_waits->has_value()) << "a new run finds whoever waits";
  EXPECT_EQ(SlotsOf(*strong_waits->value()), 1u);
  EXPECT_EQ(StatusOf(run).servers, 1u);
  EXPECT_EQ(coordinator_->readers().GetStatus(0).workers.at(1).labels.at("gpu"), "yes");

  // Its engine is another one; but it would not be asked to play this run.
  SteppedWorker other_engine = Of("other");
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
  SteppedWorker a = Of("a").Join();
  SteppedWorker b = Of("b").Join();
  EXPECT_EQ(coordinator_->operators().Drain("a"), 1);
  EXPECT_TRUE(a.Acquire(1)->drain);
  a.Join();
  EXPECT_TRUE(a.Acquire(1)->drain) << "also in another session";
  EXPECT_TRUE(a.Beat()->drain);
  EXPECT_THAT(WorkerStates(), ElementsAre(Pair("a", "draining"), Pair("b", "active")));
  coordinator_->workers().Leave(a.joined.session, {}, [](const absl::Status&) {});
  coordinator_->Step();
  EXPECT_THAT(WorkerStates(), ElementsAre(Pair("a", "drained"), Pair("b", "active")));
  a.Join();
  EXPECT_EQ(coordinator_->operators().Undrain("b")->workers, 0);
  EXPECT_EQ(coordinator_->operators().Undrain("a")->workers, 1);
  EXPECT_FALSE(a.Beat()->drain);
  EXPECT_EQ(SlotsOf(*a.Acquire(1)), 1u);

  EXPECT_EQ(coordinator_->operators().Drain(""), 2);
  EXPECT_TRUE(Of("c").Join().Acquire(1)->drain) << "whoever comes";
  EXPECT_EQ(coordinator_->operators().Undrain("")->workers, 3);
  EXPECT_EQ(SlotsOf(*b.Acquire(1)), 1u);
}

// Marks of so few games that a test can reach them, in games that wait while nobody steps.
constexpr Pressure::Options kSmall = {
    .no_readers = 2, .no_acquires = 4, .no_beats = 8, .no_submits = 12};

TEST_F(SchedulingTest, UnderLoadTheLeastDearIsSacrificedFirst) {
  Start(kSmall);
  const RunId run = Create(ToySpec(1'000));
  SteppedWorker worker = Of("w").Join();
  SteppedWorker idle = Of("idle").Join();
  std::vector<SubmittedGame> games;
  std::vector<LeaseProgress> progress;
  while (games.size() < 20) {
    for (const Lease& lease : worker.LeasesOf(4)) {
      progress.push_back({lease.lease, 0});
      for (SubmittedGame& game : Play(lease)) games.push_back(std::move(game));
    }
  }
  std::vector<std::shared_ptr<std::optional<absl::StatusOr<SubmitOutput>>>> replies;
  size_t next = 0;
  const auto submit = [&](size_t count) {
    std::vector<SubmittedGame> batch(games.begin() + static_cast<std::ptrdiff_t>(next),
                                     games.begin() + static_cast<std::ptrdiff_t>(next + count));
    next += count;
    replies.push_back(worker.SubmitLater(std::move(batch)));
  };
  EXPECT_TRUE(coordinator_->readers().Admit().ok());
  submit(2);
  const absl::Status reader = coordinator_->readers().Admit();
  EXPECT_TRUE(absl::IsResourceExhausted(reader));
  EXPECT_TRUE(RetryAfterOf(reader).has_value());
  EXPECT_FALSE(idle.AcquireLater(1)->has_value()) << "granted, and waits for the commit";

  submit(2);
  const SteppedWorker::Held refused = idle.AcquireLater(1);
  ASSERT_TRUE(refused->has_value());
  ASSERT_TRUE(refused->value().ok()) << "a normal answer";
  EXPECT_THAT((*refused)->value().leases, IsEmpty());
  EXPECT_GE((*refused)->value().retry, absl::Seconds(1));
  EXPECT_EQ(worker.Beat(progress)->beat, absl::Seconds(30)) << "come half as often";

  submit(4);
  clock_.Advance(absl::Hours(1));
  // Beats are not processed now, so no lease may expire either.
  EXPECT_THAT(worker.Beat(progress)->cancelled, IsEmpty());
  submit(4);
  const auto full = worker.SubmitLater({games[next]});
  ASSERT_TRUE(full->has_value());
  EXPECT_TRUE(absl::IsResourceExhausted(full->value().status()));
  EXPECT_GE(RetryAfterOf(full->value().status()).value(), absl::Seconds(1));
  for (const auto& reply : replies) EXPECT_FALSE(reply->has_value());

  coordinator_->Step();
  for (const auto& reply : replies) {
    ASSERT_TRUE(reply->has_value());
    ASSERT_TRUE(reply->value().ok());
    for (const GameVerdict& verdict : (*reply)->value().verdicts) {
      EXPECT_EQ(verdict.verdict, Verdict::kAccepted) << "an hour late, and nobody's fault";
    }
  }
  EXPECT_TRUE(worker.Submit({games[next]}).ok());
  EXPECT_TRUE(coordinator_->readers().Admit().ok());
  EXPECT_EQ(SlotsOf(*idle.Acquire(1)), 1u);
  EXPECT_EQ(StatusOf(run).games_done, 13u);
}

TEST_F(SchedulingTest, WhoWaitedThroughTheLoadIsServedAfterIt) {
  Start(kSmall);
  Create(ToySpec(8));
  SteppedWorker worker = Of("w", 1).Join();
  std::vector<SubmittedGame> games;
  while (games.size() < 8) {
    for (const Lease& lease : worker.LeasesOf(4)) {
      for (const Slot& slot : lease.slots) {
        games.push_back(games.empty() ? FaultOf(lease.run, lease.lease, slot)
                                      : PlaySlot(lease.run, lease.lease, slot));
      }
    }
  }
  SteppedWorker waits = Of("waits").Join();
  const SteppedWorker::Held waiting = waits.AcquireLater(1);
  coordinator_->Step();
  const auto reply = worker.SubmitLater(games);
  coordinator_->Step();
  ASSERT_TRUE(reply->has_value());
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
  std::vector<SteppedWorker::Held> held;
  std::vector<SessionId> sessions;
  std::atomic<int> joined = 0;
  for (int i = 0; i < kIdle; ++i) {
    SteppedWorker idle = Of("idle" + std::to_string(i));
    coordinator_->workers().Join(idle.introduction, [&](auto output) {
      joined += output.ok();
      sessions.push_back(output->session);
    });
  }
  coordinator_->Step();
  ASSERT_EQ(joined, kIdle);
  for (const SessionId session : sessions) {
    auto reply = std::make_shared<std::optional<absl::StatusOr<AcquireOutput>>>();
    coordinator_->workers().Acquire({session, 1, {}, {}},
                                    [reply](auto output) { *reply = output; });
    held.push_back(std::move(reply));
  }
  SteppedWorker plays = Of("plays");
  plays.introduction.labels = {{"plays", "yes"}};
  plays.Join();
  for (int i = 0; i < 100; ++i) {
    const auto work = plays.Acquire(4);
    ASSERT_EQ(SlotsOf(*work), 4u);
    ASSERT_TRUE(plays.Submit(Play(work->leases[0])).ok());
  }
  for (const SteppedWorker::Held& reply : held) ASSERT_FALSE(reply->has_value());
  EXPECT_GT(plays.Beat()->beat, absl::Seconds(15)) << "so many call less often";
  EXPECT_EQ(plays.Beat()->spread, absl::Seconds(5));
  coordinator_->operators().Drain("");
  for (const SteppedWorker::Held& reply : held) {
    ASSERT_TRUE(reply->has_value());
    EXPECT_TRUE((*reply)->value().drain);
  }
}

}  // namespace
}  // namespace joseki::coordinator
