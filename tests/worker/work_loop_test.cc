#include "worker/work_loop.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>
#include <tuple>

#include "base/hash.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "base/rng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/limits.h"
#include "tests/worker/stones.h"
#include "tests/worker/work_loop_fixture.h"
#include "worker/mistrust.h"

namespace joseki::worker {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(WorkLoopTest, PlaysEverySlotOnceAndLeaves) {
  port_.total = 200;
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(200));
  EXPECT_EQ(port_.duplicates, 0);
  EXPECT_EQ(port_.joins, 1);
  EXPECT_EQ(port_.leaves, 1);
  EXPECT_EQ(port_.specs_sent, 1);
  EXPECT_THAT(port_.unplayed, IsEmpty());
  EXPECT_EQ(spool_->pending(), 0u);
  const FinishedGame& game = port_.stored.begin()->second;
  EXPECT_THAT(game.moves, SizeIs(9));
  EXPECT_EQ(game.ending, (Ending{Result::kFirstWins, Termination::kNoLegalMove}));
  EXPECT_EQ(game.nodes, 90u);
}

std::shared_ptr<const book::AnswerBook> EmptyBook() {
  return std::make_shared<const book::AnswerBook>(book::AnswerBook{
      std::make_shared<const book::Graph>(), std::make_shared<const book::Weights>()});
}

TEST_F(WorkLoopTest, WaitsForTheBookOfARunWithReentry) {
  port_.total = 20;
  port_.re_entry = true;
  std::atomic<int> calls = 0;
  books_ = [&](const Assignment&, const std::function<void()>&,
               std::stop_token) -> absl::StatusOr<std::shared_ptr<const book::AnswerBook>> {
    if (++calls % 3 != 0) return absl::UnavailableError("no coordinator");
    return EmptyBook();
  };
  Start();
  port_.Await([&] { return port_.stored.size() == 20; });
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_GE(calls, 60);
  EXPECT_THAT(port_.unplayed, IsEmpty());
}

TEST_F(WorkLoopTest, BytesOfABookThatArriveRenewItsLease) {
  port_.total = 1;
  port_.re_entry = true;
  Gate arrived;
  const std::atomic<bool> never = false;
  books_ = [&](const Assignment&, const std::function<void()>& progress,
               std::stop_token) -> absl::StatusOr<std::shared_ptr<const book::AnswerBook>> {
    for (int chunk = 0; chunk < 5; ++chunk) progress();
    arrived.Pass(never);
    return EmptyBook();
  };
  Start();
  port_.Await([&] { return port_.progress[1] == 5; });
  arrived.Open();
  port_.Await([&] { return port_.stored.size() == 1; });
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
}

TEST_F(WorkLoopTest, ABookThatComesNearerRenewsTheLeasesThatWaitBehindItsFirstReader) {
  port_.total = 7;
  port_.re_entry = true;
  port_.ahead = 6;
  options_.join.seats = 1;  // the second lease's slots wait
  std::atomic<bool> seen = false;
  books_ =
      [&](const Assignment&, const std::function<void()>& progress,
          const std::stop_token& stop) -> absl::StatusOr<std::shared_ptr<const book::AnswerBook>> {
    for (; !seen && !stop.stop_requested(); std::this_thread::yield()) progress();
    return EmptyBook();
  };
  Start();
  port_.Await([&] { return port_.last_lease >= 2 && port_.progress[2] > 0; });
  seen = true;
  port_.Await([&] { return port_.stored.size() == 7; });
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
}

TEST_F(WorkLoopTest, GivesASlotBackWhoseBookDoesNotCome) {
  port_.total = 1;
  port_.re_entry = true;
  std::atomic<bool> waits = false;
  books_ =
      [&](const Assignment&, const std::function<void()>&,
          const std::stop_token& stop) -> absl::StatusOr<std::shared_ptr<const book::AnswerBook>> {
    waits = true;
    while (!stop.stop_requested()) std::this_thread::yield();
    return absl::CancelledError("stopped");
  };
  Start();
  while (!waits) std::this_thread::yield();
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_THAT(port_.unplayed, SizeIs(1));
  EXPECT_THAT(port_.stored, IsEmpty());
}

TEST_F(WorkLoopTest, LosesNothingWhenRepliesAreLost) {
  port_.total = 100;
  port_.lose_reply = [](int call) { return call % 2 == 1; };
  port_.on_acquire = [](int call) {
    return call % 3 == 2 ? absl::UnavailableError("away") : absl::OkStatus();
  };
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(100));
  EXPECT_GT(port_.duplicates, 0);
  EXPECT_EQ(spool_->pending(), 0u);
}

TEST_F(WorkLoopTest, KeepsTryingToJoin) {
  port_.total = 3;
  port_.on_join = [](int call) {
    return call < 6 ? absl::UnavailableError("away") : absl::OkStatus();
  };
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_EQ(port_.joins, 6);
  EXPECT_THAT(port_.stored, SizeIs(3));
  // Why is said once, however often it is tried.
  EXPECT_EQ(std::count_if(warnings_.begin(), warnings_.end(),
                          [](const std::string& line) {
                            return line.find("join_failed") != std::string::npos;
                          }),
            1);
}

TEST_F(WorkLoopTest, EndsWhenItIsRefused) {
  port_.on_join = [](int) {
    return MakeProblem({.code = "engine", .found = "signature 1", .expected = "signature 2"},
                       absl::StatusCode::kFailedPrecondition);
  };
  Start();
  const absl::Status status = Finish();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_EQ(ProblemOf(status).code, "engine");
  EXPECT_EQ(port_.joins, 1);
}

absl::Status NotTrusted() {
  return MakeProblem({.code = "coordinator_not_trusted", .found = "another authority's"},
                     absl::StatusCode::kUnavailable);
}

TEST_F(WorkLoopTest, EndsWhenTheCoordinatorIsAnotherClusters) {
  port_.on_join = [](int) { return NotTrusted(); };
  Start();
  EXPECT_EQ(ProblemOf(Finish()).code, "coordinator_not_trusted");
  EXPECT_EQ(port_.joins, Mistrust::kMost);
}

TEST_F(WorkLoopTest, BearsWithACoordinatorWhoseCertificateIsBeingReplaced) {
  port_.total = 3;
  port_.on_join = [](int call) {
    if (call % Mistrust::kMost == 0) return absl::UnavailableError("away");
    return call < 3 * Mistrust::kMost ? NotTrusted() : absl::OkStatus();
  };
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(3));
}

// An engine that plays what is no move would otherwise break games as fast as they are given out.
TEST_F(WorkLoopTest, WaitsAfterEveryKindOfFault) {
  make_player_ = [](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
    return std::make_unique<ScriptedPlayer>(
        [](const GameLine&, const Limits&) { return Take(99); });
  };
  options_.join.seats = 1;
  options_.player_retry = absl::Hours(10);
  options_.backoff.most = absl::Hours(10);
  port_.total = 3;
  Start();
  port_.Await([&] { return port_.stored.size() == 1; });
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
  ASSERT_THAT(port_.stored, SizeIs(1)) << "it waits for the rest of the day";
  EXPECT_EQ(port_.stored.begin()->second.ending.termination, Termination::kIllegalMove);
}

TEST_F(WorkLoopTest, JoinsAgainWhenItsSessionIsUnknown) {
  port_.total = 60;
  port_.on_acquire = [](int call) { return call == 2 ? UnknownSession() : absl::OkStatus(); };
  port_.on_submit = [](int call, std::span<const FinishedGame>) {
    return call == 2 ? UnknownSession() : absl::OkStatus();
  };
  port_.on_beat = [](int call) { return call == 2 ? UnknownSession() : absl::OkStatus(); };
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(60));
  EXPECT_GE(port_.joins, 2);
  EXPECT_LE(port_.joins, 4);
}

TEST_F(WorkLoopTest, DropsWhatBelongsToAnotherDatabase) {
  GatePlayers();
  port_.total = 5;
  Start();
  gate_.AwaitWaiting(4);
  // The coordinator comes back with a restored database, which knows nothing of those five.
  port_.With([&] {
    port_.epoch = "two";
    port_.total = 10;
    port_.oldest_session = 2;
  });
  port_.Await([&] { return port_.specs_sent == 2; });
  gate_.Open();
  port_.Await([&] { return port_.stored.size() >= 5; });
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
  for (const auto& [key, game] : port_.stored) EXPECT_EQ(game.epoch, "two");
  EXPECT_THAT(port_.stored, SizeIs(5));
  EXPECT_EQ(port_.specs_sent, 2);
}

TEST_F(WorkLoopTest, FinishesWhatIsBeingPlayedOnDrainAndGivesTheRestBack) {
  GatePlayers();
  port_.total = 40;
  Start();
  gate_.AwaitWaiting(4);
  port_.Await([&] { return port_.given == 5; });  // four played, one ahead
  loop_->Drain();
  gate_.Open();
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(4));
  EXPECT_THAT(port_.unplayed, SizeIs(port_.given - 4));
  EXPECT_EQ(port_.leaves, 1);
}

TEST_F(WorkLoopTest, GivesBackWhatDoesNotEndWithinTheGrace) {
  GatePlayers();
  options_.drain_grace = absl::Milliseconds(1);
  port_.total = 40;
  Start();
  gate_.AwaitWaiting(4);
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_THAT(port_.stored, IsEmpty());
  EXPECT_THAT(port_.unplayed, SizeIs(port_.given));
}

TEST_F(WorkLoopTest, DrainsWhileAJoinIsTriedInVain) {
  GatePlayers();
  options_.drain_grace = absl::Milliseconds(1);
  port_.total = 4;
  // Beat loses the session while Acquire is held, and joins; then Acquire hears of it as well.
  port_.on_beat = [&](int) { return port_.acquires < 2 ? absl::OkStatus() : UnknownSession(); };
  port_.on_join = [](int join) {
    return join == 1 ? absl::OkStatus() : absl::UnavailableError("gone");
  };
  Start();
  port_.Await([&] { return port_.joins >= 2; });
  port_.With([&] { port_.oldest_session = 2; });
  port_.Await([&] { return port_.joins >= 10; });  // some waits later both want the session
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_EQ(port_.leaves, 0);
}

TEST_F(WorkLoopTest, StopsAtOnceWhenInterrupted) {
  GatePlayers();
  port_.total = 40;
  Start();
  gate_.AwaitWaiting(4);
  loop_->Drain();
  loop_->Interrupt();
  EXPECT_FALSE(Finish().ok());
  EXPECT_THAT(port_.stored, IsEmpty());
  EXPECT_EQ(port_.leaves, 0);
}

TEST_F(WorkLoopTest, KeepsInTheSpoolWhatNobodyTakes) {
  port_.total = 7;
  port_.on_submit = [](int, std::span<const FinishedGame>) {
    return absl::ResourceExhaustedError("busy");
  };
  options_.flush_grace = absl::Milliseconds(5);
  const absl::Status status = RunToTheEnd();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_EQ(spool_->pending(), 7u);

  // The next life of the worker submits them.
  OpenSpool({});
  port_.on_submit = nullptr;
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(7));
  EXPECT_EQ(spool_->pending(), 0u);
}

TEST_F(WorkLoopTest, AbandonsACancelledLease) {
  GatePlayers();
  options_.join.seats = 2;
  port_.total = 2;
  Start();
  gate_.AwaitWaiting(2);
  port_.With([&] {
    for (LeaseId lease = 1; lease <= port_.last_lease; ++lease) port_.cancelled.push_back(lease);
    port_.total = 4;
  });
  port_.Await([&] { return port_.given == 4; });
  gate_.Open();
  port_.Await([&] { return port_.stored.size() == 2; });
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
  for (const auto& [key, game] : port_.stored) {
    EXPECT_THAT(port_.cancelled, ::testing::Not(Contains(game.lease)));
  }
  EXPECT_THAT(port_.unplayed, IsEmpty());
}

TEST_F(WorkLoopTest, TellsItsProgressWhileItPlays) {
  make_player_ = [this](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
    return std::make_unique<ScriptedPlayer>([this](const GameLine& game, const Limits&) {
      static const std::atomic<bool> kNever{false};
      if (game.moves.size() == 6) gate_.Pass(kNever);
      return Take(1);
    });
  };
  options_.join.seats = 1;
  port_.total = 1;
  Start();
  port_.Await([&] { return port_.progress[1] == 6; });
  gate_.Open();
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
}

// Ten milliseconds of processor time in every choice, on the thread that calls.
TEST_F(WorkLoopTest, TellsWhatItCostsAndHowMuchOfThatWereSearches) {
  make_player_ = [](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
    return std::make_unique<ScriptedPlayer>([](const GameLine&, const Limits&) {
      const absl::Duration began = ProcessorTimeOfThread();
      while (ProcessorTimeOfThread() - began < absl::Milliseconds(10)) {
      }
      return Take(1);
    });
  };
  port_.total = 8;  // of nine choices each
  Start();
  port_.Await([&] { return port_.stored.size() == 8 && port_.cost.search > absl::ZeroDuration(); });
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
  const WorkerCost cost = loop_->cost();
  EXPECT_GE(cost.search, 8 * 9 * absl::Milliseconds(10));
  EXPECT_LE(cost.search, cost.processor);
}

TEST_F(WorkLoopTest, TakesNoMoreWhileTheSpoolIsFull) {
  OpenSpool({.most_bytes = 1});
  options_.join.seats = 1;
  port_.total = 20;
  std::atomic<bool> busy{true};
  port_.on_submit = [&](int, std::span<const FinishedGame>) {
    return busy ? absl::ResourceExhaustedError("busy") : absl::OkStatus();
  };
  Start();
  port_.Await([&] { return port_.submits >= 5; });
  port_.With([&] { EXPECT_LE(port_.given, 4); });
  busy = false;
  port_.With([&] { port_.drain = true; });
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(20));
  EXPECT_THAT(lines_, Contains(HasSubstr("spool_takes_no_more")));
}

TEST_F(WorkLoopTest, SortsOutTheOneGameThatMakesABatchInvalid) {
  port_.total = 30;
  port_.on_submit = [](int, std::span<const FinishedGame> games) {
    for (const FinishedGame& game : games) {
      if (game.lease == 2 && game.slot == 0) return absl::InvalidArgumentError("no game");
    }
    return absl::OkStatus();
  };
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(29));
  EXPECT_THAT(lines_, Contains(HasSubstr("game_refused run=1 lease=2 slot=0")));
}

TEST_F(WorkLoopTest, GivesUpGamesOfALostEpoch) {
  FinishedGame lost;
  lost.epoch = "lost";
  lost.ending = {Result::kDraw, Termination::kMaxPlies};
  ASSERT_TRUE(spool_->Append(lost).ok());
  port_.total = 10;
  port_.on_submit = [](int, std::span<const FinishedGame> games) {
    if (games[0].epoch != "lost") return absl::OkStatus();
    return MakeProblem({.code = "epoch", .found = "lost", .expected = "one"},
                       absl::StatusCode::kFailedPrecondition);
  };
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(10));
  EXPECT_EQ(spool_->pending(), 0u);
  EXPECT_THAT(lines_, Contains(HasSubstr("game_refused")));
}

TEST_F(WorkLoopTest, ReportsAPlayerThatCannotBeMadeAsAFault) {
  make_player_ = [](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
    return absl::InvalidArgumentError("no such option");
  };
  port_.total = 3;
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  ASSERT_THAT(port_.stored, SizeIs(3));
  const FinishedGame& game = port_.stored.begin()->second;
  EXPECT_EQ(game.ending, (Ending{Result::kNone, Termination::kCrash}));
  EXPECT_THAT(game.fault, HasSubstr("no such option"));
}

TEST_F(WorkLoopTest, WhatThereIsNoMemoryForIsNoCrash) {
  make_player_ = [](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
    return MakeProblem({.code = "no_memory",
                        .file = "hash_mb",
                        .found = "a table of 32768 MiB",
                        .expected = "less"},
                       absl::StatusCode::kResourceExhausted);
  };
  port_.total = 3;
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  ASSERT_THAT(port_.stored, SizeIs(3));
  const FinishedGame& game = port_.stored.begin()->second;
  EXPECT_EQ(game.ending, (Ending{Result::kNone, Termination::kInterrupted}));
  EXPECT_THAT(game.fault, ::testing::StartsWith(std::string(kCannotPlay)));
  EXPECT_THAT(game.fault, HasSubstr("no_memory"));
}

TEST_F(WorkLoopTest, BreaksOffTheStartOfAnEngineOnDrain) {
  // Its engine starts once the gate opens.
  class SlowPlayer final : public Player {
   public:
    explicit SlowPlayer(Gate& gate) : gate_(gate) {}
    absl::Status Start() override {
      return gate_.Pass(stopped_) ? absl::OkStatus() : absl::CancelledError("stopped");
    }
    absl::Status NewGame(uint64_t) override { return absl::OkStatus(); }
    absl::StatusOr<Choice> Choose(const GameLine&, const Limits&) override { return Take(1); }
    void Stop() override {
      stopped_ = true;
      gate_.Wake();
    }

   private:
    Gate& gate_;
    std::atomic<bool> stopped_{false};
  };
  make_player_ = [&](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
    return std::make_unique<SlowPlayer>(gate_);
  };
  port_.total = 40;
  Start();
  gate_.AwaitWaiting(4);
  loop_->Drain();
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_THAT(port_.stored, IsEmpty());
  EXPECT_THAT(port_.unplayed, SizeIs(port_.given));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(WorkLoopTest, MakesANewPlayerAfterACrash) {
  std::atomic<int> made{0};
  make_player_ = [&](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
    const bool first = ++made == 1;
    return std::make_unique<ScriptedPlayer>(
        [first](const GameLine&, const Limits&) -> absl::StatusOr<Choice> {
          if (first) return absl::UnavailableError("gone");
          return Take(1);
        });
  };
  options_.join.seats = 1;
  port_.total = 3;
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_EQ(made, 2);
  int faults = 0;
  for (const auto& [key, game] : port_.stored) faults += IsFault(game.ending.termination);
  EXPECT_EQ(faults, 1);
}

TEST_F(WorkLoopTest, LeavesWhenThereHasLongBeenNothingToDo) {
  options_.exit_when_idle = absl::Seconds(3);
  port_.hold_when_empty = false;
  port_.total = 3;
  Start();
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(3));
  EXPECT_EQ(port_.leaves, 1);
}

// A coordinator holds the call for work while there is none, far longer than that.
TEST_F(WorkLoopTest, LeavesWhileItsCallForWorkIsHeld) {
  options_.exit_when_idle = absl::Seconds(3);
  port_.total = 3;
  Start();
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(3));
  EXPECT_EQ(port_.leaves, 1);
}

TEST_F(WorkLoopTest, SubmitsInBatches) {
  // One game is never done, so that the worker is never idle.
  std::atomic<int> made{0};
  make_player_ = [&](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
    if (++made == 1) return std::make_unique<GatedPlayer>(gate_);
    return std::make_unique<ScriptedPlayer>([](const GameLine&, const Limits&) { return Take(1); });
  };
  options_.join.seats = 2;
  options_.batch_delay = absl::Seconds(60);
  port_.total = 300;
  Start();
  port_.Await([&] { return port_.stored.size() > 299 - 32; });
  port_.With([&] { EXPECT_LE(port_.submits, 300 / 32); });
  loop_->Drain();
  gate_.Open();
  EXPECT_EQ(Finish(), absl::OkStatus());
  EXPECT_EQ(port_.stored.size() + port_.unplayed.size(), static_cast<size_t>(port_.given));
}

TEST_F(WorkLoopTest, TakesTheSlotsThatComeWithAReply) {
  port_.total = 200;
  port_.ahead = 30;
  // Acquire fails while games are running, until a Submit has asked for slots.
  port_.on_acquire = [this](int) {
    const bool idle = port_.stored.size() == static_cast<size_t>(port_.given);
    return idle || port_.submits_that_ask > 0 ? absl::OkStatus() : absl::UnavailableError("away");
  };
  port_.reply_with_work = true;
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(200));
  EXPECT_EQ(port_.duplicates, 0);
  EXPECT_GT(port_.submits_that_ask, 0);
  EXPECT_EQ(port_.specs_sent, 1) << "a run that came with an answer is known";
}

TEST_F(WorkLoopTest, LosesNoSlotWhenRepliesWithWorkAreLost) {
  port_.total = 100;
  port_.reply_with_work = true;
  port_.lose_reply = [](int submit) { return submit % 3 == 0; };
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(100)) << "the answer is lost before any slot is given";
}

TEST_F(WorkLoopTest, KeepsAsManySlotsReadyAsItIsTold) {
  port_.total = 1000;
  port_.ahead = 30;
  GatePlayers();
  Start();
  port_.Await([&] { return port_.given >= 34; });
  gate_.AwaitWaiting(4);
  port_.With([&] { EXPECT_EQ(port_.given, 34) << "four that are played, thirty that wait"; });
}

TEST_F(WorkLoopTest, SendsTheGamesOfItsLastLifeBeforeItAsksForMore) {
  for (uint32_t slot = 0; slot < 3; ++slot) {
    FinishedGame game;
    game.epoch = "one";
    game.lease = 99;
    game.slot = slot;
    game.ending = {Result::kDraw, Termination::kMaxPlies};
    ASSERT_TRUE(spool_->Append(game).ok());
  }
  port_.total = 10;
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  EXPECT_THAT(port_.stored, SizeIs(13));
  EXPECT_EQ(port_.calls.front(), "submit");
}

TEST_F(WorkLoopTest, WaitsAtLeastAsLongAsItIsAskedTo) {
  constexpr int kMs = 50;
  port_.total = 1;
  port_.on_submit = [](int submit, std::span<const FinishedGame>) {
    if (submit > 1) return absl::OkStatus();
    return WithRetryAfter(absl::ResourceExhaustedError("too much"), absl::Milliseconds(kMs));
  };
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  int waits = 0;
  for (const std::string& line : lines_) {
    const size_t at = line.find("submit_failed");
    if (at == std::string::npos) continue;
    ++waits;
    EXPECT_GE(std::stoi(line.substr(line.find("wait_ms=") + 8)), kMs) << line;
  }
  EXPECT_EQ(waits, 1);
}

TEST_F(WorkLoopTest, ComesBackAtAMomentOfItsOwn) {
  port_.total = 20;
  port_.spread = absl::Milliseconds(200);
  absl::Time lost;
  absl::Time joined;
  port_.on_join = [&](int join) {
    if (join == 2) joined = absl::Now();
    return absl::OkStatus();
  };
  port_.on_submit = [&](int submit, std::span<const FinishedGame>) {
    if (submit > 1) return absl::OkStatus();
    lost = absl::Now();
    port_.oldest_session = 2;
    return UnknownSession();
  };
  EXPECT_EQ(RunToTheEnd(), absl::OkStatus());
  const absl::Duration place = port_.spread * Rng(Hash64("tester")).Unit();
  EXPECT_GE(joined - lost, place);
  EXPECT_GT(place, absl::Milliseconds(1));
  EXPECT_THAT(port_.stored, SizeIs(20));
}

}  // namespace
}  // namespace joseki::worker
