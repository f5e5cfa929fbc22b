// What becomes of lines that fail, and of those that are drawn again and again.
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/runs/run_rig.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

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
  EXPECT_EQ(run.poisoned_[0], (PoisonedLine{line, 3, "stall"}));
  EXPECT_EQ(run->poisoned_lines(), 1u);
  EXPECT_EQ(InFlight(*run), 0u);
  for (const PlannedSlot& plan : run.slots(run.Grant(80))) EXPECT_NE(plan.slot.line, line);
}

// Lines may fail because their workers do: where games ended theirs like this one, that is
// likelier.
TEST(RunState, HasMorePatienceWithALineThatOthersCouldPlay) {
  Rig run(ToySpec(1000));
  LeaseId lease = run.Grant(1);
  const std::vector<Move> line = run.slots(lease)[0].slot.line;
  // The same line by somebody else, to the end.
  bool played = false;
  while (!played) {
    const LeaseId other = run.Grant(1);
    played = run.slots(other)[0].slot.line == line;
    run.PlayAll(other);
  }
  for (int failure = 0; failure < 9; ++failure) {
    ASSERT_THAT(run.poisoned_, IsEmpty());
    ASSERT_EQ(run.slots(lease)[0].slot.line, line) << failure;
    EXPECT_EQ(run.Restart().poisoned_lines(), 0u);
    run.End(lease, LeaseState::kExpired);
    lease = run.Grant(1);
  }
  ASSERT_THAT(run.poisoned_, SizeIs(1));
  EXPECT_EQ(run.poisoned_[0], (PoisonedLine{line, 9, "lease expired"}));
  EXPECT_NE(run.slots(lease)[0].slot.line, line);
  RunState restarted = run.Restart();
  ExpectSame(restarted, *run);
}

// That games pass through a line's last position says nothing of a game that ends its line there.
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

TEST(RunState, FailsWhenEveryLineIsPoisoned) {
  RunSpec spec = ToySpec(100);
  spec.deviation = 0;
  Rig run(spec, /*plies=*/1);
  int leases = 0;
  while (run->running() && leases < 100) {
    const LeaseId lease = run.Grant(1);
    ++leases;
    if (!run.slots(lease).empty()) run.Fault(lease, 0);
    run->Advance();
  }
  EXPECT_EQ(run->row().state, "failed");
  EXPECT_EQ(run->row().reason, "every line is poisoned");
  EXPECT_EQ(run->poisoned_lines(), 3u) << "the book has three moves";
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
  for (int i = 0; i < 100 && run->resting_lines() == 0; ++i) play_one(i);
  ASSERT_EQ(run->resting_lines(), 1u);
  ASSERT_THAT(run->Resting(10), SizeIs(1));
  EXPECT_EQ(run->Resting(10)[0].line, drawish);
  EXPECT_EQ(run->Resting(10)[0].draws, 3u);
  EXPECT_EQ(run->counters().draws, 3u);
  for (int i = 0; i < 50; ++i) play_one(i);
  EXPECT_EQ(run->counters().draws, 3u) << "it was not chosen again";
  // The next stage begins anew.
  for (int i = 0; i < 400 && run->row().stage == 0; ++i) play_one(i);
  EXPECT_EQ(run->row().stage, 1);
  EXPECT_EQ(run->resting_lines(), 0u);
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
  EXPECT_GE(run->resting_lines(), 2u);
  // A game that is decided wakes its line.
  const uint32_t resting = run->resting_lines();
  const LeaseId lease = run.Grant(1);
  run.PlayTo(lease, 0, {Result::kFirstWins, Termination::kResign});
  EXPECT_EQ(run->resting_lines(), resting - 1);
}

TEST(RunState, NoLineRestsWhereDrawsTeach) {
  RunSpec spec = OneChoice("ucb1");
  Rig run(spec, /*plies=*/1);
  for (int i = 0; i < 40; ++i) run.Draw(run.Grant(1), 0);
  EXPECT_EQ(run->resting_lines(), 0u);
}

}  // namespace
}  // namespace joseki::coordinator
