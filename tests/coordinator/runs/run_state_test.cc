#include "coordinator/runs/run_state.h"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
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

TEST(RunState, PlansSlotsFullyAndDeterministically) {
  Rig a(ToySpec(100));
  Rig b(ToySpec(100));
  const LeaseId lease = a.Grant(16);
  b.Grant(16);
  ASSERT_EQ(a.slots(lease).size(), 16u);
  EXPECT_EQ(a.slots(lease), b.slots(lease));
  std::set<uint64_t> seeds;
  for (const PlannedSlot& plan : a.slots(lease)) {
    EXPECT_EQ(plan.slot.start, "startpos");
    EXPECT_TRUE(seeds.insert(plan.slot.seed).second);
  }
  RunSpec other = ToySpec(100);
  other.seed = 6;
  Rig c(other);
  c.Grant(16);
  EXPECT_NE(a.slots(lease), c.slots(lease));
}

TEST(RunState, CountsOpenSlotsInFlightUntilTheyEnd) {
  Rig run(ToySpec(100));
  const LeaseId lease = run.Grant(8);
  uint64_t plies = 0;
  for (const PlannedSlot& plan : run.slots(lease)) plies += plan.slot.line.size();
  EXPECT_EQ(run->open_slots(), 8u);
  EXPECT_GT(plies, 0u);
  EXPECT_EQ(InFlight(*run), plies);
  run.PlayAll(lease);
  EXPECT_EQ(run->open_slots(), 0u);
  EXPECT_EQ(InFlight(*run), 0u);
}

TEST(RunState, SpendsItsBudgetExactly) {
  Rig run(ToySpec(10));
  const LeaseId first = run.Grant(8);
  const LeaseId second = run.Grant(8);
  EXPECT_EQ(run.slots(second).size(), 2u);
  EXPECT_EQ(run->Available(), 0u);
  run.PlayAll(first);
  EXPECT_FALSE(run->Advance()) << "two slots are open";
  run.PlayAll(second);
  EXPECT_TRUE(run->Advance());
  EXPECT_EQ(run->row().state, "done");
  EXPECT_EQ(run->evidence().counters().games, 10u);
  EXPECT_FALSE(run->Advance());
}

TEST(RunState, MayBeKeptFromEnding) {
  Rig run(ToySpec(4));
  run.PlayAll(run.Grant(4));
  EXPECT_FALSE(run->Advance(/*may_end=*/false));
  EXPECT_TRUE(run->row().running());
  EXPECT_TRUE(run->Advance());
  EXPECT_EQ(run->row().state, "done");

  Rig staged(Staged("2,2"));
  staged.PlayAll(staged.Grant(2));
  EXPECT_TRUE(staged->Advance(/*may_end=*/false)) << "the next stage is no end";
  staged.PlayAll(staged.Grant(2));
  EXPECT_FALSE(staged->Advance(/*may_end=*/false));
  EXPECT_TRUE(staged->Advance());
  EXPECT_EQ(staged->row().state, "done");
}

TEST(RunState, HasNothingToDoWithSlotsThatVerify) {
  Rig run(ToySpec(100));
  const LeaseId lease = run.Grant(2);
  PlannedSlot copy = run.slots(lease)[0];
  copy.slot.slot = 2;
  copy.copy_of = {lease, 0};
  const uint64_t in_flight = InFlight(*run);
  run->Lose({lease, "w"}, std::vector<PlannedSlot>{copy}, LeaseState::kExpired);
  run->Withdraw({copy});
  EXPECT_EQ(run->open_slots(), 2u);
  EXPECT_EQ(InFlight(*run), in_flight);
  EXPECT_EQ(run.slots(run.Grant(1))[0].replaces.lease, 0u) << "nothing waits to be played again";

  UnfinishedWork unfinished;
  unfinished.leases.emplace_back().grant.slots = {copy};
  const RunState restored(testing::FreshRun(ToySpec(100)), run->book().start, {}, unfinished);
  EXPECT_EQ(restored.open_slots(), 0u);
  EXPECT_EQ(InFlight(restored), 0u);
}

TEST(RunState, FaultsCostNoBudgetAndAreReplacedByTheSameLine) {
  Rig run(ToySpec(4));
  const LeaseId lease = run.Grant(4);
  run.Fault(lease, 2);
  EXPECT_EQ(run->evidence().counters().faults, 1u);
  EXPECT_EQ(run->evidence().counters().games, 0u);
  EXPECT_EQ(run->Available(), 1u);
  const LeaseId again = run.Grant(4);
  ASSERT_EQ(run.slots(again).size(), 1u);
  const PlannedSlot& lost = run.slots(lease)[2];
  const PlannedSlot& retry = run.slots(again)[0];
  EXPECT_EQ(retry.slot.line, lost.slot.line);
  EXPECT_EQ(retry.slot.excluded, lost.slot.excluded);
  EXPECT_NE(retry.slot.seed, lost.slot.seed);
  EXPECT_EQ(retry.failures, 1u);
  EXPECT_EQ(retry.replaces, (SlotRef{lease, 2}));
}

TEST(RunState, StagesCloseWithTheirNumberOfCountedGames) {
  Rig run(Staged("6,5"));
  ASSERT_EQ(run->book().stages(), 2);
  LeaseId lease = run.Grant(100);
  ASSERT_EQ(run.slots(lease).size(), 6u);
  for (uint32_t slot = 0; slot < 4; ++slot) run.Play(lease, slot);
  run.Draw(lease, 4);
  EXPECT_FALSE(run->Advance());
  run.Play(lease, 5);
  EXPECT_FALSE(run->Advance()) << "the draw is thrown away and has to be replaced";
  EXPECT_EQ(run->evidence().counters().draws, 1u);
  EXPECT_EQ(run->Available(), 1u);
  lease = run.Grant(100);
  ASSERT_EQ(run.slots(lease).size(), 1u);
  EXPECT_EQ(run.slots(lease)[0].replaces.lease, 0u) << "another line, not the drawn one again";
  run.PlayAll(lease);
  EXPECT_TRUE(run->Advance());
  EXPECT_EQ(run->row().stage, 1);
  EXPECT_EQ(run->row().stage_seq, 7u);
  lease = run.Grant(100);
  EXPECT_EQ(run.slots(lease).size(), 5u);
  EXPECT_EQ(run.slots(lease)[0].evidence_seq, 7u);
  run.PlayAll(lease);
  EXPECT_TRUE(run->Advance());
  EXPECT_EQ(run->row().state, "done");
  EXPECT_EQ(run->evidence().counters().counted, (std::map<int, uint64_t>{{0, 6}, {1, 5}}));
}

TEST(RunState, AStageIsNoRaceForTheFirstGames) {
  Rig run(Staged("6,5"));
  const LeaseId lease = run.Grant(4);
  const LeaseId slow = run.Grant(100);
  run.PlayAll(lease);
  EXPECT_EQ(run->Available(), 0u) << "no further slot while the slow ones are open";
  EXPECT_FALSE(run->Advance());
  run.PlayAll(slow);
  EXPECT_TRUE(run->Advance());
}

TEST(RunState, SelectionIsFrozenWithinAStage) {
  Rig run(Staged("20,5"));
  const LeaseId lease = run.Grant(20);
  for (uint32_t slot = 0; slot < 19; ++slot) run.Play(lease, slot);
  for (const book::Arm& arm : Selection(*run)) EXPECT_EQ(arm.sum, 0);
  run.Play(lease, 19);
  ASSERT_TRUE(run->Advance());
  int64_t moved = 0;
  for (const book::Arm& arm : Selection(*run)) moved += std::abs(arm.sum);
  EXPECT_GT(moved, 0);
}

TEST(RunState, SharesItsGamesOutOverTheStages) {
  Rig run(Staged("", 30));
  ASSERT_EQ(run->book().stages(), 2);
  EXPECT_EQ(run.slots(run.Grant(100)).size(), 15u);
}

TEST(RunState, ADrawnGameCostsBudgetSoTheLastStageGivesWay) {
  Rig run(Staged("", 4));
  LeaseId lease = run.Grant(10);
  ASSERT_EQ(run.slots(lease).size(), 2u);
  run.Draw(lease, 0);
  run.Play(lease, 1);
  run->Advance();
  lease = run.Grant(10);
  run.PlayAll(lease);
  ASSERT_TRUE(run->Advance());
  lease = run.Grant(10);
  ASSERT_EQ(run.slots(lease).size(), 1u);
  run.PlayAll(lease);
  EXPECT_TRUE(run->Advance());
  EXPECT_EQ(run->row().state, "done");
  EXPECT_EQ(run->evidence().counters().games, 4u);
}

TEST(RunState, AnExpiredSlotIsPlayedAgainFirst) {
  Rig run(ToySpec(100));
  const LeaseId lease = run.Grant(3);
  run.Play(lease, 1);
  run.End(lease, LeaseState::kExpired);
  EXPECT_EQ(run->open_slots(), 0u);
  EXPECT_EQ(InFlight(*run), 0u);
  const LeaseId again = run.Grant(3);
  EXPECT_EQ(run.slots(again)[0].replaces, (SlotRef{lease, 0}));
  EXPECT_EQ(run.slots(again)[1].replaces, (SlotRef{lease, 2}));
  EXPECT_EQ(run.slots(again)[1].failures, 1u);
  EXPECT_EQ(run.slots(again)[2].replaces.lease, 0u);
}

TEST(RunState, GivingBackAndInterruptionAreNoFailures) {
  Rig run(ToySpec(100));
  const LeaseId lease = run.Grant(2);
  run.Fault(lease, 0, Termination::kInterrupted);
  run.End(lease, LeaseState::kGivenBack);
  const LeaseId again = run.Grant(2);
  EXPECT_EQ(run.slots(again)[0].failures, 0u);
  EXPECT_EQ(run.slots(again)[0].slot.line, run.slots(lease)[0].slot.line);
  EXPECT_EQ(run.slots(again)[1].failures, 0u);
  EXPECT_EQ(run.slots(again)[1].slot.line, run.slots(lease)[1].slot.line);
}

TEST(RunState, ALateGameMakesItsReplacementUnneeded) {
  Rig run(ToySpec(100));
  const LeaseId lease = run.Grant(1);
  run.End(lease, LeaseState::kExpired);
  run.Play(lease, 0);
  EXPECT_EQ(run->evidence().counters().games, 1u);
  EXPECT_EQ(run->evidence().counters().stale, 1u);
  EXPECT_EQ(run.slots(run.Grant(1))[0].replaces.lease, 0u);
}

TEST(RunState, ALateGameOfAnEarlierStageCountsThereAndMovesNoFrozenWeight) {
  Rig run(Staged("2,3"));
  const LeaseId late = run.Grant(1);
  const LeaseId lease = run.Grant(1);
  run.End(late, LeaseState::kExpired);
  run.PlayAll(lease);
  run.PlayAll(run.Grant(5));
  ASSERT_TRUE(run->Advance());
  std::vector<int64_t> frozen;
  for (const book::Arm& arm : Selection(*run)) frozen.push_back(arm.sum);
  run.Play(late, 0);
  for (size_t i = 0; i < frozen.size(); ++i) {
    EXPECT_EQ(run->evidence().tuner().frozen(static_cast<book::EdgeId>(i)).sum, frozen[i]);
  }
  EXPECT_EQ(run->evidence().counters().counted, (std::map<int, uint64_t>{{0, 3}}));
  EXPECT_EQ(run->Available(), 3u);
  RunState restarted = run.Restart();
  ExpectSame(restarted, *run);
}

std::vector<book::Evidence> EvidenceOf(const book::Tuner& tuner) {
  std::vector<book::Evidence> evidence;
  for (const book::Arm& arm : tuner.arms()) evidence.push_back(arm.evidence);
  return evidence;
}

std::vector<uint32_t> InFlightOf(const book::Tuner& tuner) {
  std::vector<uint32_t> in_flight;
  for (const book::Arm& arm : tuner.arms()) in_flight.push_back(arm.in_flight);
  return in_flight;
}

TEST(RunState, TakesRebuiltEvidenceOverInPiecesWhileEverythingGoesOn) {
  const PieceSize few{.edges = 3, .games = 2};
  Rig run(ToySpec(1000));
  Rig twin(ToySpec(1000));  // the same without it
  const auto both = [&](const auto& does) {
    does(run);
    does(twin);
  };
  both([](Rig& rig) {
    rig.PlayAll(rig.Grant(20));
    rig.Grant(10);
  });
  RebuiltRun rebuilt = run.Rebuild(run->BeginRebuild({}));
  ASSERT_GT(run->book().graph->edge_count(), 9u);
  int pieces = 0;
  auto adoption = run->Adopt(rebuilt, few);
  for (LeaseId lease = 2; adoption == Progress::kMore; ++pieces) {
    both([&](Rig& rig) {
      if (lease <= 3) {
        rig.Play(lease, 1);
        rig.Fault(lease, 2);
      }
      if (lease == 3) rig.End(lease, LeaseState::kExpired);
      rig.Grant(3);
    });
    ++lease;
    ASSERT_LT(pieces, 100);
    adoption = run->Adopt(rebuilt, few);
  }
  EXPECT_GT(pieces, 3);
  ASSERT_EQ(adoption, Progress::kDone);
  EXPECT_EQ(EvidenceOf(run->evidence().tuner()), EvidenceOf(twin->evidence().tuner()));
  EXPECT_EQ(InFlightOf(run->evidence().tuner()), InFlightOf(twin->evidence().tuner()));
  EXPECT_EQ(run->evidence().counters(), twin->evidence().counters());
  EXPECT_EQ(run->open_slots(), twin->open_slots());
  // And goes on as if nothing had been.
  both([](Rig& rig) { rig.PlayAll(rig.Grant(5)); });
  EXPECT_EQ(EvidenceOf(run->evidence().tuner()), EvidenceOf(twin->evidence().tuner()));
}

TEST(RunState, DoesNotTakeOverWhatIsOfAnEarlierStage) {
  Rig run(Staged("3,3"));
  const LeaseId lease = run.Grant(3);
  RebuiltRun rebuilt = run.Rebuild(run->BeginRebuild({}));
  ASSERT_EQ(run->Adopt(rebuilt, {.edges = 1}), Progress::kMore);
  run.PlayAll(lease);
  ASSERT_TRUE(run->Advance());
  run.Grant(3);
  EXPECT_EQ(run->Adopt(rebuilt, {.edges = 1}), Progress::kVoid);
  EXPECT_EQ(run->evidence().counters().games, 3u);
}

class WeightsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(WeightsTest, EveryVersionIsWhatTheGamesSayByThen) {
  RunSpec spec = ToySpec(1000, GetParam());
  spec.play.re_entry = true;
  spec.play.re_entry_games = 7;
  Rig run(spec);
  EXPECT_EQ(*run->TakeNewRows().weights.at(0).after, book::WeightsOf(run->evidence().tuner()));
  Rng rng(3);
  size_t versions = 0;
  size_t copies = 0;
  for (int game = 0; game < 150; ++game) {
    run.Play(run.Grant(1), 0);
    // A copy may come at any time, late, or not at all.
    if (rng.Below(10) == 0) {
      const auto of = run->evidence().weights().WantsCopy();
      if (of != nullptr) {
        book::Weights copy = *of;
        if (rng.Below(2) == 0) run.Play(run.Grant(1), 0);
        run->evidence().weights().GiveCopy(of, std::move(copy));
        EXPECT_EQ(run->evidence().weights().WantsCopy(), nullptr);
        ++copies;
      }
    }
    run->Advance();
    for (const NewWeights& made : run->TakeNewRows().weights) {
      EXPECT_EQ(*made.after, book::WeightsOf(run->evidence().tuner())) << game;
      ++versions;
    }
  }
  EXPECT_GT(versions, 15u);
  EXPECT_GT(copies, 3u);
  EXPECT_LT(copies, versions);
}

std::string PolicyOfTest(const ::testing::TestParamInfo<const char*>& test) {
  return std::string(test.param).substr(0, 5);
}
INSTANTIATE_TEST_SUITE_P(Policies, WeightsTest, ::testing::Values("sample-average", "graph-puct"),
                         PolicyOfTest);

TEST(RunState, WithdrawUndoesPlan) {
  Rig run(ToySpec(100));
  run.End(run.Grant(2), LeaseState::kExpired);
  Rig twin(ToySpec(100));
  twin.End(twin.Grant(2), LeaseState::kExpired);
  run->Withdraw(run->Plan(50, 5));
  ExpectSame(*run, *twin);
}

TEST(RunState, PausesResumesAndStops) {
  Rig run(ToySpec(10));
  const LeaseId lease = run.Grant(2);
  EXPECT_TRUE(run->SetState("paused", "asked to"));
  EXPECT_EQ(run->Available(), 0u);
  run.PlayAll(lease);
  EXPECT_EQ(run->evidence().counters().games, 2u) << "games in flight are still taken";
  EXPECT_TRUE(run->SetState("running", ""));
  EXPECT_EQ(run->Available(), 8u);
  EXPECT_TRUE(run->SetState("stopped", ""));
  EXPECT_FALSE(run->SetState("running", ""));
  EXPECT_EQ(run->Available(), 0u);
}

TEST(RunState, NamesTheArmsThatChanged) {
  Rig run(ToySpec(10));
  const LeaseId lease = run.Grant(1);
  EXPECT_FALSE(run->evidence().unwritten().any());
  run.PlayAll(lease);
  ASSERT_TRUE(run->evidence().unwritten().any());
  UnwrittenChanges::Taken changes = run->evidence().TakeChanges();
  EXPECT_EQ(changes.edges.size(), run.slots(lease)[0].slot.line.size());
  for (const book::EdgeId edge : changes.edges) {
    EXPECT_EQ(run->evidence().RowOf(edge).evidence.games(), 1u);
    EXPECT_EQ(run->evidence().RowOf(edge).seq, 1u);
  }
  EXPECT_EQ(changes.checkpoint.seq, 1u);
  EXPECT_EQ(changes.checkpoint.counters.games, 1u);
  EXPECT_THAT(changes.checkpoint.seen, SizeIs(1));
  EXPECT_FALSE(run->evidence().unwritten().any());
  EXPECT_THAT(run->evidence().TakeChanges().edges, IsEmpty());

  // Changes that could not be written come again, before later ones.
  const std::deque<book::EdgeId> edges = changes.edges;
  const uint64_t first = changes.checkpoint.seen[0];
  run.PlayAll(run.Grant(1));
  run->evidence().unwritten().Return(std::move(changes));
  changes = run->evidence().TakeChanges();
  EXPECT_THAT(changes.edges, ::testing::IsSupersetOf(edges));
  EXPECT_THAT(changes.checkpoint.seen, SizeIs(2));
  EXPECT_EQ(changes.checkpoint.seen[0], first);
  EXPECT_EQ(changes.checkpoint.seq, 2u);
}

// Random histories: whatever happened, the rows give the same run again.
TEST(RunState, ARestartIsTheSameRun) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Rig run(seed % 2 == 0 ? Staged("12,9", seed % 4 == 0 ? 40 : 0) : ToySpec(60));
    std::vector<std::pair<LeaseId, uint32_t>> open;
    std::vector<std::pair<LeaseId, uint32_t>> lost;
    for (int step = 0; step < 60 && run->row().running(); ++step) {
      const uint64_t dice = rng.Below(10);
      if (dice < 3) {
        const LeaseId lease = run.Grant(1 + static_cast<uint32_t>(rng.Below(4)));
        for (const PlannedSlot& plan : run.slots(lease)) open.emplace_back(lease, plan.slot.slot);
      } else if (dice == 3 && !lost.empty()) {
        run.Play(lost.back().first, lost.back().second);
        lost.pop_back();
      } else if (dice == 4 && !open.empty()) {
        const LeaseId lease = open[rng.Below(open.size())].first;
        run.End(lease, rng.Below(2) == 0 ? LeaseState::kExpired : LeaseState::kGivenBack);
        for (const auto& slot : open) {
          if (slot.first == lease) lost.push_back(slot);
        }
        std::erase_if(open, [&](const auto& slot) { return slot.first == lease; });
      } else if (!open.empty()) {
        const size_t at = rng.Below(open.size());
        const auto [lease, slot] = open[at];
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
        if (dice == 5) {
          run.Draw(lease, slot);
        } else if (dice == 6) {
          run.Fault(lease, slot);
        } else {
          run.Play(lease, slot);
        }
      }
      run->Advance();
    }
    RunState restarted = run.Restart();
    restarted.Advance();
    ExpectSame(restarted, *run);
  }
}

}  // namespace
}  // namespace joseki::coordinator
