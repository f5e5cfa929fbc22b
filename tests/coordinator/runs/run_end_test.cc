// Ends of runs, and the reasons that they give.
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/runs/run_rig.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using testing::ToySpec;

TEST(RunState, EndsWhenItsTimeIsUsedUp) {
  RunSpec spec = ToySpec(0);
  spec.seconds = 10;
  Rig run(spec);
  const LeaseId lease = run.Grant(4);
  run->AddPlayedMs(9'999);
  EXPECT_GT(run->Available(), 0u);
  run->AddPlayedMs(1);
  EXPECT_EQ(run->Available(), 0u);
  EXPECT_FALSE(run->Advance());
  run.PlayAll(lease);
  EXPECT_TRUE(run->Advance());
  EXPECT_EQ(run->row().state, "done");
}

TEST(RunState, EndsWhenNothingIsLeftToFind) {
  RunSpec spec = OneChoice("epsilon-greedy");
  spec.policy_options = {{"epsilon", "1"}};
  spec.stop.least_gain = 0.001;
  Rig run(spec, /*plies=*/1);
  EXPECT_EQ(run->evidence().gain_left(), 1);
  for (int lease = 0; lease < 400 && run->row().running(); ++lease) {
    const LeaseId granted = run.Grant(5);
    if (run.slots(granted).empty()) break;
    run.PlayFor(granted, GoodMove());
    // A restart at any time finds and decides the same.
    RunState restarted = run.Restart();
    EXPECT_EQ(restarted.evidence().gain_left(), run->evidence().gain_left());
    EXPECT_EQ(restarted.Available(), run->Available());
    run->Advance();
    restarted.Advance();
    EXPECT_EQ(restarted.row().state, run->row().state);
    EXPECT_EQ(restarted.row().reason, run->row().reason);
  }
  EXPECT_EQ(run->row().state, "done");
  EXPECT_THAT(run->row().reason, ::testing::HasSubstr("no position is left worth a game"));
  EXPECT_GT(run->evidence().counters().games, 30u);
  EXPECT_LT(run->evidence().counters().games, 2000u);
  EXPECT_EQ(run->evidence().gain_left(), 0);
}

TEST(RunState, OpenGamesOfARunWithNothingLeftAreWaitedFor) {
  RunSpec spec = OneChoice("epsilon-greedy");
  spec.policy_options = {{"epsilon", "1"}};
  spec.stop.least_gain = 0.001;
  Rig run(spec, /*plies=*/1);
  const LeaseId slow = run.Grant(1);
  while (run->Available() > 0) {
    ASSERT_LT(run->evidence().counters().games, 5000u);
    run.PlayFor(run.Grant(5), GoodMove());
  }
  EXPECT_FALSE(run->Advance());
  EXPECT_TRUE(run->row().running());
  run.PlayFor(slow, GoodMove());
  EXPECT_TRUE(run->Advance());
  EXPECT_EQ(run->row().state, "done");
}

TEST(RunState, ASettledPositionGetsNoMoreGamesForOtherMoves) {
  RunSpec spec = OneChoice("epsilon-greedy");
  spec.policy_options = {{"epsilon", "1"}};
  Rig run(spec, /*plies=*/1);
  EXPECT_EQ(run->evidence().gain_left(), std::nullopt) << "not asked for";
  for (int lease = 0; lease < 100; ++lease) run.PlayFor(run.Grant(10), GoodMove());
  for (const PlannedSlot& plan : run.slots(run.Grant(50))) {
    EXPECT_EQ(plan.slot.line.at(0), GoodMove());
  }
}

TEST(RunState, EndsWhenTheAnswersAreStable) {
  RunSpec spec = OneChoice("result-driven");
  spec.policy_options = {{"delta", "4,2,1"}, {"games", "60"}, {"rand", "8"}};
  spec.stop.least_change = 0.05;
  const Move good = testing::ToyMoves("a1").at(0);  // not the move with the largest base weight
  Rig run(spec, /*plies=*/1);
  ASSERT_EQ(run->book().stages(), 3);
  EXPECT_EQ(run->evidence().answers_changed(), 1);
  while (run->row().running()) {
    ASSERT_LT(run->evidence().counters().games, 1000u);
    run.PlayFor(run.Grant(7), good);
    RunState restarted = run.Restart();
    EXPECT_EQ(restarted.evidence().answers_changed(), run->evidence().answers_changed());
    run->Advance();
    restarted.Advance();
    EXPECT_EQ(restarted.row().state, run->row().state);
    EXPECT_EQ(restarted.row().reason, run->row().reason);
    EXPECT_EQ(restarted.row().stage, run->row().stage);
  }
  // The first stage finds the move, the second changes nothing.
  EXPECT_EQ(run->evidence().counters().games, 120u);
  EXPECT_THAT(run->row().reason, ::testing::HasSubstr("the answers are stable: stage 2"));
}

TEST(RunState, SaysWhyItEnded) {
  Rig played(ToySpec(3));
  played.PlayAll(played.Grant(3));
  EXPECT_TRUE(played->Advance());
  EXPECT_EQ(played->row().reason, "the games are played");
  Rig staged(Staged("1,1"));
  for (int stage = 0; stage < 2; ++stage) {
    staged.PlayAll(staged.Grant(1));
    EXPECT_TRUE(staged->Advance());
  }
  EXPECT_EQ(staged->row().state, "done");
  EXPECT_EQ(staged->row().reason, "the last stage is over");
}

}  // namespace
}  // namespace joseki::coordinator
