// Tests lines that fail, and lines that are drawn repeatedly.
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/runs/run_rig.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::ToySpec;

TEST(RunState, PoisonsALineAfterThreeFailuresInARow) {
  Rig run(ToySpec(100));
  LeaseId lease = run.Grant(1);
  const std::vector<Move> line = run.slots(lease)[0].slot.line;
  for (int failure = 0; failure < 3; ++failure) {
    ASSERT_EQ(run.slots(lease)[0].slot.line, line);
    EXPECT_THAT(run.poisoned_, IsEmpty());
    if (failure == 1) {
      run.End(lease, LeaseState::kExpired);
    } else {
      run.Fault(lease, 0, Termination::kStall);
    }
    if (failure < 2) lease = run.Grant(1);
  }
  ASSERT_THAT(run.poisoned_, SizeIs(1));
  EXPECT_EQ(run.poisoned_[0], (PoisonedLine{line, 3, "stall", {{1, "w1"}, {2, "w2"}, {3, "w3"}}}));
  EXPECT_EQ(run->lines().lost().poisoned(), 1u);
  EXPECT_EQ(InFlight(*run), 0u);
  for (const PlannedSlot& plan : run.slots(run.Grant(80))) EXPECT_NE(plan.slot.line, line);
}

// A line may fail because of its workers. That is likelier where other games ended their lines in
// the same place.
TEST(RunState, HasMorePatienceWithALineThatOthersCouldPlay) {
  Rig run(ToySpec(1000));
  LeaseId lease = run.Grant(1);
  const std::vector<Move> line = run.slots(lease)[0].slot.line;
  // Another worker plays the same line to its end.
  bool played = false;
  while (!played) {
    const LeaseId other = run.Grant(1);
    played = run.slots(other)[0].slot.line == line;
    run.PlayAll(other);
  }
  for (int failure = 0; failure < 9; ++failure) {
    ASSERT_THAT(run.poisoned_, IsEmpty());
    ASSERT_EQ(run.slots(lease)[0].slot.line, line) << failure;
    EXPECT_EQ(run.Restart().lines().lost().poisoned(), 0u);
    run.End(lease, LeaseState::kExpired);
    lease = run.Grant(1);
  }
  ASSERT_THAT(run.poisoned_, SizeIs(1));
  EXPECT_EQ(run.poisoned_[0].line, line);
  EXPECT_EQ(run.poisoned_[0].attempts, 9u);
  EXPECT_EQ(run.poisoned_[0].reason, "lease expired");
  EXPECT_NE(run.slots(lease)[0].slot.line, line);
  RunState restarted = run.Restart();
  ExpectSame(restarted, *run);
}

// Games that pass through a line's last position say nothing about games that end their line there.
TEST(RunState, PoisonsALineThatOthersOnlyPassed) {
  RunSpec spec = ToySpec(1000);
  spec.deviation = 0.3;
  Rig run(spec);
  const auto is_short = [](const std::vector<Move>& line) { return line.size() == 1; };
  int failures = 0;
  std::vector<Move> bad;
  for (int lease = 0; lease < 400 && run.poisoned_.empty(); ++lease) {
    const LeaseId id = run.Grant(1);
    const std::vector<Move>& line = run.slots(id).at(0).slot.line;
    if (bad.empty() && is_short(line)) bad = line;
    if (line == bad) {
      ++failures;
      run.Fault(id, 0);
    } else {
      run.Play(id, 0);
    }
  }
  ASSERT_THAT(run.poisoned_, SizeIs(1));
  EXPECT_EQ(run.poisoned_[0].line, bad);
  EXPECT_EQ(run.poisoned_[0].attempts, 3u);
  EXPECT_EQ(failures, 3);
}

// Any number of failures with one worker may be the worker's fault.
TEST(RunState, ALineThatFailsWithOneWorkerIsWithheldFromThatOneAlone) {
  RunSpec spec = ToySpec(1000);
  spec.deviation = 0;
  Rig run(spec, /*plies=*/1);
  for (int fault = 0; fault < 9; ++fault) {
    const LeaseId lease = run.Grant(1, "bad");
    ASSERT_THAT(run.slots(lease), SizeIs(1)) << "three lines, three times each";
    run.Fault(lease, 0, Termination::kIllegalMove);
  }
  EXPECT_THAT(run.slots(run.Grant(1, "bad")), IsEmpty()) << "no line is tried for ever";
  EXPECT_TRUE(run->lines().IsIdle("bad"));
  EXPECT_EQ(run->lines().lost().poisoned(), 0u);
  EXPECT_THAT(run.poisoned_, IsEmpty());
  EXPECT_GT(run->Available(), 0u) << "for others";
  EXPECT_TRUE(run.Restart().Plan(1000, 1, {}, "bad").empty()) << "it follows from the rows";
  // A worker that plays them clears them.
  const LeaseId lease = run.Grant(3, "good");
  ASSERT_THAT(run.slots(lease), SizeIs(3));
  run.PlayAll(lease);
  EXPECT_FALSE(run->lines().IsIdle("bad"));
  EXPECT_THAT(run.slots(run.Grant(1, "bad")), SizeIs(1));
}

TEST(RunState, ThreeWorkersPoisonALineAndBlockingOneOfThemFreesIt) {
  Rig run(ToySpec(1000));
  std::vector<Move> line;
  for (const char* const worker : {"a", "b", "c"}) {
    const LeaseId lease = run.Grant(1, worker);
    line = run.slots(lease).at(0).slot.line;
    run.Fault(lease, 0);
  }
  ASSERT_EQ(run->lines().lost().poisoned(), 1u);
  EXPECT_TRUE(run->lines().lost().IsPoisoned(line));
  run.Block("b");
  EXPECT_EQ(run->lines().lost().poisoned(), 0u);
  EXPECT_EQ(run.Restart().lines().lost().poisoned(), 0u);
  run.Unblock("b");
  EXPECT_EQ(run->lines().lost().poisoned(), 1u);
  EXPECT_EQ(run.Restart().lines().lost().poisoned(), 1u);
  run.Block("c");
  const LeaseId again = run.Grant(1, "d");
  EXPECT_EQ(run.slots(again).at(0).slot.line, line) << "it is played first, as lost slots are";
  run.Fault(again, 0);
  EXPECT_EQ(run->lines().lost().poisoned(), 1u) << "a, b and d";
  RunState restarted = run.Restart();
  ExpectSame(restarted, *run);
}

TEST(RunState, AnOperatorFreesLinesForGood) {
  RunSpec spec = ToySpec(1000);
  spec.deviation = 0;
  Rig run(spec, /*plies=*/1);
  const auto fail_all = [&] {
    for (int i = 0; i < 9; ++i) {
      const LeaseId lease = run.Grant(1);
      if (!run.slots(lease).empty()) run.Fault(lease, 0);
    }
  };
  fail_all();
  ASSERT_EQ(run->lines().lost().poisoned(), 3u);
  EXPECT_THAT(run.slots(run.Grant(1)), IsEmpty());
  const std::vector<Move> one = run->lines().lost().Poisoned(1).at(0).line;
  EXPECT_EQ(run.Free(std::vector<Move>(7)), 0u) << "no such line";
  EXPECT_EQ(run.Free(one), 1u);
  EXPECT_EQ(run->lines().lost().poisoned(), 2u);
  EXPECT_EQ(run.Restart().lines().lost().poisoned(), 2u);
  const LeaseId lease = run.Grant(1);
  ASSERT_THAT(run.slots(lease), SizeIs(1));
  EXPECT_EQ(run.slots(lease)[0].slot.line, one);
  run.Fault(lease, 0);
  EXPECT_EQ(run->lines().lost().poisoned(), 2u) << "the failures before count no more";
  EXPECT_EQ(run.Restart().lines().lost().poisoned(), 2u);
  EXPECT_EQ(run.Free(), 2u);
  EXPECT_EQ(run->lines().lost().poisoned(), 0u);
  EXPECT_EQ(run.Restart().lines().lost().poisoned(), 0u);
  fail_all();
  EXPECT_GT(run->lines().lost().poisoned(), 0u) << "they may be poisoned again";
}

TEST(RunState, WaitsAndSaysWhyWhenEveryLineIsPoisoned) {
  RunSpec spec = ToySpec(100);
  spec.deviation = 0;
  Rig run(spec, /*plies=*/1);
  int leases = 0;
  while (leases < 20) {
    const LeaseId lease = run.Grant(1);
    ++leases;
    if (!run.slots(lease).empty()) run.Fault(lease, 0);
    run->Advance();
  }
  EXPECT_EQ(run->row().state, "running");
  EXPECT_THAT(run->row().reason, HasSubstr("every line has failed"));
  EXPECT_EQ(run->lines().lost().poisoned(), 3u) << "the book has three moves";
  EXPECT_EQ(run->Available(), 0u) << "nobody asks in vain";
  run.Free();
  EXPECT_EQ(run->row().reason, "");
  EXPECT_GT(run->Available(), 0u);
}

// Under a rule that learns nothing from draws.
TEST(RunState, ALineThatIsDrawnAgainAndAgainRestsForTheStage) {
  RunSpec spec = OneChoice("result-driven");
  spec.policy_options = {{"delta", "4,2"}, {"games", "200"}, {"rand", "0"}};
  Rig run(spec, /*plies=*/1);
  const std::vector<Move> drawish = {GoodMove()};
  const auto play_one = [&](int i) {
    const LeaseId lease = run.Grant(1);
    ASSERT_THAT(run.slots(lease), SizeIs(1));
    if (run.slots(lease)[0].slot.line == drawish) {
      run.Draw(lease, 0);
    } else {
      const Result result = i % 2 == 0 ? Result::kFirstWins : Result::kSecondWins;
      run.PlayTo(lease, 0, {result, Termination::kResign});
    }
    run->Advance();
  };
  for (int i = 0; i < 100 && run->lines().resting().count() == 0; ++i) play_one(i);
  ASSERT_EQ(run->lines().resting().count(), 1u);
  ASSERT_THAT(run->lines().resting().Some(10), SizeIs(1));
  EXPECT_EQ(run->lines().resting().Some(10)[0].line, drawish);
  EXPECT_EQ(run->lines().resting().Some(10)[0].draws, 3u);
  EXPECT_EQ(run->evidence().counters().draws, 3u);
  for (int i = 0; i < 50; ++i) play_one(i);
  EXPECT_EQ(run->evidence().counters().draws, 3u) << "it was not chosen again";
  // The next stage starts afresh.
  for (int i = 0; i < 400 && run->row().stage == 0; ++i) play_one(i);
  EXPECT_EQ(run->row().stage, 1);
  EXPECT_EQ(run->lines().resting().count(), 0u);
}

TEST(RunState, ARestingLineIsBetterThanNone) {
  RunSpec spec = OneChoice("result-driven");
  spec.policy_options = {{"games", "40"}};
  Rig run(spec, /*plies=*/1);
  // Every line is drawn: all of them rest, and the run goes on with them.
  for (int i = 0; i < 60; ++i) {
    const LeaseId lease = run.Grant(1);
    ASSERT_THAT(run.slots(lease), SizeIs(1)) << i;
    run.Draw(lease, 0);
    run->Advance();
  }
  EXPECT_GE(run->lines().resting().count(), 2u);
  // A game that is decided wakes its line.
  const size_t resting = run->lines().resting().count();
  const LeaseId lease = run.Grant(1);
  run.PlayTo(lease, 0, {Result::kFirstWins, Termination::kResign});
  EXPECT_EQ(run->lines().resting().count(), resting - 1);
}

TEST(RunState, NoLineRestsWhereDrawsTeach) {
  RunSpec spec = OneChoice("ucb1");
  Rig run(spec, /*plies=*/1);
  for (int i = 0; i < 40; ++i) run.Draw(run.Grant(1), 0);
  EXPECT_EQ(run->lines().resting().count(), 0u);
}

}  // namespace
}  // namespace joseki::coordinator
