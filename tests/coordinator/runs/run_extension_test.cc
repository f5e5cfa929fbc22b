// Runs that are given more to play.
#include <string>
#include <utility>

#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/limits.h"
#include "tests/coordinator/runs/run_rig.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using testing::ToySpec;

MoreToPlay Games(uint64_t games) { return {.games = games, .request_id = {}}; }
MoreToPlay Seconds(uint64_t seconds) { return {.seconds = seconds, .request_id = {}}; }

void PlayToTheEnd(Rig& run, uint32_t at_once = 4) {
  while (run->row().running()) {
    const LeaseId lease = run.Grant(at_once);
    ASSERT_FALSE(run.slots(lease).empty());
    run.PlayAll(lease);
    run->Advance();
  }
}

TEST(RunExtension, ARunThatIsDoneGoesOnAsIfItsBudgetHadBeenLarger) {
  Rig extended(ToySpec(8));
  PlayToTheEnd(extended);
  ASSERT_EQ(extended->row().state, "done");
  ASSERT_TRUE(extended->Extend(Games(12)).ok());
  EXPECT_EQ(extended->row().state, "running");
  EXPECT_EQ(extended->row().reason, "");
  EXPECT_EQ(extended->row().spec.games, 20u);
  EXPECT_EQ(extended->Available(), 12u);
  const Extension first = *extended->row().spec.extension;
  EXPECT_EQ(first.games, 12u);
  EXPECT_EQ(first.after, 8u);
  EXPECT_EQ(first.times, 1u);
  EXPECT_FALSE(first.regardless);

  Rig whole(ToySpec(20));
  for (int lease = 0; lease < 2; ++lease) whole.PlayAll(whole.Grant(4));
  const LeaseId next = extended.Grant(4);
  EXPECT_EQ(extended.slots(next), whole.slots(whole.Grant(4)));
  // A restart in the middle of it knows as much.
  RunState restarted = extended.Restart();
  EXPECT_EQ(restarted.Available(), 8u);
  RunState again = extended.Restart();
  ExpectSame(restarted, again);

  extended.PlayAll(next);
  PlayToTheEnd(extended);
  EXPECT_EQ(extended->evidence().counters().games, 20u);
  EXPECT_EQ(extended->row().reason, "the games are played");
  ASSERT_TRUE(extended->Extend(Games(1)).ok());
  EXPECT_EQ(extended->row().spec.extension->times, 2u);
  EXPECT_EQ(extended->row().spec.games, 21u);
}

TEST(RunExtension, WhatIsAskedIsTheBudgetOfARunThatIsDone) {
  Rig run(ToySpec(4));
  run->AddPlayedMs(7'000);
  PlayToTheEnd(run);
  // By time after games: nothing but the time ends it.
  ASSERT_TRUE(run->Extend(Seconds(10)).ok());
  EXPECT_EQ(run->row().spec.games, 0u);
  EXPECT_EQ(run->row().spec.seconds, 17u);
  run->AddPlayedMs(9'999);
  EXPECT_GT(run->Available(), 1'000'000u);
  run->AddPlayedMs(1);
  EXPECT_EQ(run->Available(), 0u);
  EXPECT_TRUE(run->Advance());
  EXPECT_EQ(run->row().reason, "the time is used up");
  // And by games after time.
  ASSERT_TRUE(run->Extend(Games(3)).ok());
  EXPECT_EQ(run->row().spec.seconds, 0u);
  EXPECT_EQ(run->Available(), 3u);
}

TEST(RunExtension, TheLimitsOfARunThatGoesOnAreRaised) {
  Rig run(ToySpec(10));
  run.PlayAll(run.Grant(4));
  ASSERT_TRUE(run->Extend(Games(5)).ok());
  EXPECT_EQ(run->row().spec.games, 15u);
  EXPECT_EQ(run->Available(), 11u);
  EXPECT_EQ(run->row().spec.extension->games, 15u) << "what was asked for before is in it";
  EXPECT_EQ(ProblemOf(run->Extend(Seconds(5))).code, "no_limit");
  ASSERT_TRUE(run->SetState("paused", ""));
  ASSERT_TRUE(run->Extend(Games(5)).ok());
  EXPECT_EQ(run->row().state, "paused");
  EXPECT_EQ(run->row().spec.games, 20u);
  EXPECT_EQ(run->row().spec.extension->times, 2u);
}

TEST(RunExtension, LostLinesOfTheEarlierPartAreTheSameAfterARestart) {
  RunSpec spec = ToySpec(0);
  spec.seconds = 10;
  Rig run(spec);
  const LeaseId lost = run.Grant(3);
  run.PlayAll(run.Grant(2));
  run->AddPlayedMs(10'000);
  run.End(lost, LeaseState::kGivenBack);
  ASSERT_TRUE(run->Advance());
  ASSERT_EQ(run->row().state, "done");
  RunState restarted = run.Restart();
  ASSERT_TRUE(run->Extend(Seconds(10)).ok());
  ASSERT_TRUE(restarted.Extend(Seconds(10)).ok());
  RunState later = run.Restart();
  EXPECT_EQ(later.Available(), run->Available());
  ExpectSame(restarted, later);
  RunState again = run.Restart();
  ExpectSame(*run, again);
}

TEST(RunExtension, WithNothingLeftToFindItPlaysRegardless) {
  RunSpec spec = OneChoice("epsilon-greedy");
  spec.policy_options = {{"epsilon", "1"}};
  spec.stop.least_gain = 0.001;
  Rig run(spec, /*plies=*/1);
  while (run->row().running()) {
    ASSERT_LT(run->evidence().counters().games, 5000u);
    run.PlayFor(run.Grant(5), GoodMove());
    run->Advance();
  }
  const uint64_t before = run->evidence().counters().games;
  ASSERT_TRUE(run->Extend(Games(20)).ok());
  EXPECT_TRUE(run->row().spec.extension->regardless);
  EXPECT_EQ(run->Available(), 20u);
  EXPECT_EQ(run.Restart().Available(), 20u);
  while (run->row().running()) {
    run.PlayFor(run.Grant(5), GoodMove());
    run->Advance();
  }
  EXPECT_EQ(run->evidence().counters().games, before + 20);
  EXPECT_EQ(run->row().reason, "the games are played");
}

TEST(RunExtension, WhatCannotGoOnIsRefused) {
  Rig staged(Staged("1,1"));
  EXPECT_EQ(ProblemOf(staged->Extend(Games(5))).code, "has_stages");
  for (int stage = 0; stage < 2; ++stage) {
    staged.PlayAll(staged.Grant(1));
    staged->Advance();
  }
  ASSERT_EQ(staged->row().state, "done");
  EXPECT_EQ(ProblemOf(staged->Extend(Games(5))).code, "has_stages");
  EXPECT_EQ(staged->row().state, "done");

  Rig stopped(ToySpec(10));
  ASSERT_TRUE(stopped->SetState("stopped", ""));
  const absl::Status refused = stopped->Extend(Games(5));
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_EQ(ProblemOf(refused).code, "run_state");
  EXPECT_THAT(ProblemOf(refused).found, ::testing::HasSubstr("stopped"));
  EXPECT_EQ(stopped->row().spec.extension, std::nullopt);

  Rig large(ToySpec(10));
  EXPECT_EQ(ProblemOf(large->Extend(Games(kMaxRunGames))).code, "too_much");
  EXPECT_EQ(large->row().spec.games, 10u);
}

}  // namespace
}  // namespace joseki::coordinator
