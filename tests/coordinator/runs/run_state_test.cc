#include "coordinator/runs/run_state.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "book/reentry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using testing::FaultOf;
using testing::FreshRun;
using ::testing::IsEmpty;
using testing::PlaySlot;
using testing::RowOf;
using ::testing::SizeIs;
using testing::ToySpec;

RunSpec Staged(std::string games, uint64_t budget = 0) {
  RunSpec spec = ToySpec(budget, "result-driven");
  spec.policy_options = {{"delta", "4,2"}, {"rand", "8"}};
  if (!games.empty()) spec.policy_options["games"] = std::move(games);
  return spec;
}

// A run with its rows, as a coordinator would keep them.
class Rig {
 public:
  explicit Rig(const RunSpec& spec, int plies = 4, RunState::Options options = {})
      : spec_(spec), plies_(plies) {
    state_.emplace(FreshRun(spec, plies), 0, RunState::Options{});
    start_ = state_->graph().Find(testing::ToyPosition().key());
    state_.emplace(FreshRun(spec, plies), start_, options);
  }

  RunState& operator*() { return *state_; }
  RunState* operator->() { return &*state_; }

  LeaseId Grant(uint32_t most) {
    const LeaseId lease = next_lease_++;
    Lease& row = leases_[lease];
    row.grant.lease = lease;
    row.grant.stage = state_->row().stage;
    row.grant.slots = state_->Plan(lease, most);
    return lease;
  }
  const std::vector<PlannedSlot>& slots(LeaseId lease) { return leases_.at(lease).grant.slots; }

  void Play(LeaseId lease, uint32_t slot) {
    Commit(lease, slot, PlaySlot(1, lease, slots(lease).at(slot).slot));
  }
  void Draw(LeaseId lease, uint32_t slot) {
    PlayTo(lease, slot, {Result::kDraw, Termination::kMaxPlies});
  }
  // What the rules say is not asked here: the row is what counts.
  void PlayTo(LeaseId lease, uint32_t slot, Ending ending) {
    SubmittedGame game = PlaySlot(1, lease, slots(lease).at(slot).slot);
    GameRow row = RowOf(slots(lease).at(slot), leases_.at(lease).grant.stage, game, next_seq_++);
    row.ending = ending;
    row.moves_hash = row.commit_seq;  // none is like another
    Credit(row);
  }
  // The whole lease; a line wins for the first side if it begins with `good`, else for the second.
  void PlayFor(LeaseId lease, Move good) {
    for (const PlannedSlot& plan : slots(lease)) {
      const bool wins = !plan.slot.line.empty() && plan.slot.line[0] == good;
      PlayTo(lease, plan.slot.slot,
             {wins ? Result::kFirstWins : Result::kSecondWins, Termination::kResign});
    }
  }
  void Fault(LeaseId lease, uint32_t slot, Termination termination = Termination::kCrash) {
    Commit(lease, slot, FaultOf(1, lease, slots(lease).at(slot).slot, termination));
  }
  void PlayAll(LeaseId lease) {
    for (const PlannedSlot& plan : slots(lease)) Play(lease, plan.slot.slot);
  }
  void End(LeaseId lease, LeaseState how) {
    Lease& row = leases_.at(lease);
    row.state = how;
    std::vector<PlannedSlot> open;
    for (const PlannedSlot& plan : row.grant.slots) {
      if (row.filled.count(plan.slot.slot) == 0) open.push_back(plan);
    }
    state_->Lose(lease, open, how);
    for (PoisonedLine& line : state_->TakePoisoned()) poisoned_.push_back(std::move(line));
  }

  // A new state from the rows alone, as LoadRun and a restart build it.
  RunState Restart() {
    LoadedRun loaded = FreshRun(spec_, plies_);
    loaded.row = state_->row();
    bool frozen = false;
    for (const GameRow& game : games_) {
      if (!frozen && game.commit_seq > loaded.row.stage_seq) {
        loaded.tuner->Freeze();
        frozen = true;
      }
      Count(*loaded.policy, game, /*excluded=*/false, loaded.counters);
      loaded.commit_seq = game.commit_seq;
      if (IsFault(game.ending.termination)) {
        if (game.stage == loaded.row.stage) loaded.faults.push_back(game);
        continue;
      }
      const std::vector<book::EdgeId> edges =
          book::EdgesOf(*loaded.graph, start_, std::span(game.moves).first(game.book_plies));
      loaded.tuner->Apply({edges, game.ending, game.stage, game.moves_hash});
    }
    if (!frozen) loaded.tuner->Freeze();
    const std::vector<GameRow> faults = loaded.faults;
    RunState state(std::move(loaded), start_, RunState::Options{});
    state.RestorePoisoned(poisoned_);
    std::vector<SlotRef> replaced;
    for (const auto& [id, lease] : leases_) {
      for (const PlannedSlot& plan : lease.grant.slots) {
        if (plan.replaces.lease != 0) replaced.push_back(plan.replaces);
      }
      if (lease.filled.size() < lease.grant.slots.size()) {
        state.RestoreLease(lease.grant, lease.state, lease.filled);
      }
    }
    for (const GameRow& fault : faults) {
      state.RestoreFault(fault, slots(fault.lease).at(fault.slot));
    }
    state.RestoreReplaced(replaced);
    return state;
  }

  // All games up to now, computed anew.
  RebuiltRun Rebuild(RebuildPoint point) {
    auto tuner = std::make_unique<book::Tuner>(point.graph, point.policy);
    RebuiltRun rebuilt;
    RunCounters counters;
    for (const GameRow& game : games_) {
      const bool excluded = point.trust.Excludes(game.worker, game.lease);
      Count(*point.policy, game, excluded, counters);
      rebuilt.commit_seq = game.commit_seq;
      if (excluded || IsFault(game.ending.termination)) continue;
      const std::vector<book::EdgeId> edges =
          book::EdgesOf(*point.graph, start_, std::span(game.moves).first(game.book_plies));
      tuner->Apply({edges, game.ending, game.stage, game.moves_hash});
    }
    tuner->Freeze();
    tuner->Settle();
    rebuilt.evidence = std::make_unique<RunEvidence>(std::move(tuner), std::move(counters),
                                                     point.trust, point.row);
    rebuilt.point = std::move(point);
    return rebuilt;
  }

  std::vector<PoisonedLine> poisoned_;

 private:
  struct Lease {
    LeaseGrant grant;
    LeaseState state = LeaseState::kLive;
    std::set<uint32_t> filled;
  };

  void Commit(LeaseId lease, uint32_t slot, const SubmittedGame& game) {
    Credit(RowOf(slots(lease).at(slot), leases_.at(lease).grant.stage, game, next_seq_++));
  }
  void Credit(GameRow row) {
    Lease& lease = leases_.at(row.lease);
    const bool open = lease.state == LeaseState::kLive;
    row.stale = !open;
    ASSERT_TRUE(lease.filled.insert(row.slot).second);
    games_.push_back(row);
    state_->Credit(row, lease.grant.slots.at(row.slot), open);
    for (PoisonedLine& line : state_->TakePoisoned()) poisoned_.push_back(std::move(line));
  }

  const RunSpec spec_;
  const int plies_;
  book::NodeId start_ = 0;
  std::optional<RunState> state_;
  LeaseId next_lease_ = 1;
  uint64_t next_seq_ = 1;
  std::map<LeaseId, Lease> leases_;
  std::vector<GameRow> games_;
};

uint64_t InFlight(const RunState& state) {
  uint64_t sum = 0;
  for (const book::Arm& arm : state.tuner().arms()) sum += arm.in_flight;
  return sum;
}

std::vector<book::Arm> Selection(const RunState& state) {
  std::vector<book::Arm> arms;
  for (book::EdgeId edge = 0; edge < state.graph().edge_count(); ++edge) {
    arms.push_back(state.tuner().frozen(edge));
  }
  return arms;
}

void ExpectSame(RunState& a, RunState& b) {
  EXPECT_EQ(a.row().stage, b.row().stage);
  EXPECT_EQ(a.counters(), b.counters());
  EXPECT_EQ(a.commit_seq(), b.commit_seq());
  EXPECT_EQ(a.open_slots(), b.open_slots());
  EXPECT_EQ(a.Available(), b.Available());
  EXPECT_EQ(a.poisoned_lines(), b.poisoned_lines());
  const auto same_arms = [](std::span<const book::Arm> x, std::span<const book::Arm> y) {
    ASSERT_EQ(x.size(), y.size());
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(x[i].sum, y[i].sum) << i;
      EXPECT_EQ(x[i].in_flight, y[i].in_flight) << i;
      EXPECT_EQ(x[i].evidence.wins, y[i].evidence.wins) << i;
      EXPECT_EQ(x[i].evidence.losses, y[i].evidence.losses) << i;
    }
  };
  same_arms(a.tuner().arms(), b.tuner().arms());
  same_arms(Selection(a), Selection(b));
  // What they would play next is the whole of their state.
  EXPECT_EQ(a.Plan(1000, 20), b.Plan(1000, 20));
}

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
  EXPECT_EQ(run->counters().games, 10u);
  EXPECT_FALSE(run->Advance());
}

TEST(RunState, MayBeKeptFromEnding) {
  Rig run(ToySpec(4));
  run.PlayAll(run.Grant(4));
  EXPECT_FALSE(run->Advance(/*may_end=*/false));
  EXPECT_TRUE(run->running());
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
  PlannedSlot check = run.slots(lease)[0];
  check.slot.slot = 2;
  check.checks = {lease, 0};
  const uint64_t in_flight = InFlight(*run);
  run->Lose(lease, std::vector<PlannedSlot>{check}, LeaseState::kExpired);
  run->Withdraw({check});
  LeaseGrant grant;
  grant.lease = 50;
  grant.slots = {check};
  run->RestoreLease(grant, LeaseState::kLive, {});
  EXPECT_EQ(run->open_slots(), 2u);
  EXPECT_EQ(InFlight(*run), in_flight);
  EXPECT_EQ(run.slots(run.Grant(1))[0].replaces.lease, 0u) << "nothing waits to be played again";
}

TEST(RunState, FaultsCostNoBudgetAndAreReplacedByTheSameLine) {
  Rig run(ToySpec(4));
  const LeaseId lease = run.Grant(4);
  run.Fault(lease, 2);
  EXPECT_EQ(run->counters().faults, 1u);
  EXPECT_EQ(run->counters().games, 0u);
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
  ASSERT_EQ(run->stages(), 2);
  LeaseId lease = run.Grant(100);
  ASSERT_EQ(run.slots(lease).size(), 6u);
  for (uint32_t slot = 0; slot < 4; ++slot) run.Play(lease, slot);
  run.Draw(lease, 4);
  EXPECT_FALSE(run->Advance());
  run.Play(lease, 5);
  EXPECT_FALSE(run->Advance()) << "the draw is thrown away and has to be replaced";
  EXPECT_EQ(run->counters().draws, 1u);
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
  EXPECT_EQ(run->counters().counted, (std::map<int, uint64_t>{{0, 6}, {1, 5}}));
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
  ASSERT_EQ(run->stages(), 2);
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
  EXPECT_EQ(run->counters().games, 4u);
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
  EXPECT_EQ(run->counters().games, 1u);
  EXPECT_EQ(run->counters().stale, 1u);
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
    EXPECT_EQ(run->tuner().frozen(static_cast<book::EdgeId>(i)).sum, frozen[i]);
  }
  EXPECT_EQ(run->counters().counted, (std::map<int, uint64_t>{{0, 3}}));
  EXPECT_EQ(run->Available(), 3u);
  RunState restarted = run.Restart();
  ExpectSame(restarted, *run);
}

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
  Rig run(ToySpec(1000), 4, {.edges_at_once = 3, .games_at_once = 2});
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
  ASSERT_GT(run->graph().edge_count(), 9u);
  int pieces = 0;
  auto adoption = run->Adopt(rebuilt);
  for (LeaseId lease = 2; adoption == RunState::Adoption::kMore; ++pieces) {
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
    adoption = run->Adopt(rebuilt);
  }
  EXPECT_GT(pieces, 3);
  ASSERT_EQ(adoption, RunState::Adoption::kDone);
  EXPECT_EQ(EvidenceOf(run->tuner()), EvidenceOf(twin->tuner()));
  EXPECT_EQ(InFlightOf(run->tuner()), InFlightOf(twin->tuner()));
  EXPECT_EQ(run->counters(), twin->counters());
  EXPECT_EQ(run->open_slots(), twin->open_slots());
  // And goes on as if nothing had been.
  both([](Rig& rig) { rig.PlayAll(rig.Grant(5)); });
  EXPECT_EQ(EvidenceOf(run->tuner()), EvidenceOf(twin->tuner()));
}

TEST(RunState, DoesNotTakeOverWhatIsOfAnEarlierStage) {
  Rig run(Staged("3,3"), 4, {.edges_at_once = 1});
  const LeaseId lease = run.Grant(3);
  RebuiltRun rebuilt = run.Rebuild(run->BeginRebuild({}));
  ASSERT_EQ(run->Adopt(rebuilt), RunState::Adoption::kMore);
  run.PlayAll(lease);
  ASSERT_TRUE(run->Advance());
  run.Grant(3);
  EXPECT_EQ(run->Adopt(rebuilt), RunState::Adoption::kVoid);
  EXPECT_EQ(run->counters().games, 3u);
}

class WeightsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(WeightsTest, EveryVersionIsWhatTheGamesSayByThen) {
  RunSpec spec = ToySpec(1000, GetParam());
  spec.play.re_entry = true;
  spec.play.re_entry_games = 7;
  Rig run(spec);
  run->BeginWeights();
  EXPECT_EQ(*run->TakeNewWeights().at(0).after, book::WeightsOf(run->tuner()));
  Rng rng(3);
  size_t versions = 0;
  size_t copies = 0;
  for (int game = 0; game < 150; ++game) {
    run.Play(run.Grant(1), 0);
    // A copy may come at any time, late, or not at all.
    if (rng.Below(10) == 0) {
      const auto of = run->WantsCopy();
      if (of != nullptr) {
        book::Weights copy = *of;
        if (rng.Below(2) == 0) run.Play(run.Grant(1), 0);
        run->GiveCopy(of, std::move(copy));
        EXPECT_EQ(run->WantsCopy(), nullptr);
        ++copies;
      }
    }
    run->Advance();
    for (const NewWeights& made : run->TakeNewWeights()) {
      EXPECT_EQ(*made.after, book::WeightsOf(run->tuner())) << game;
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

TEST(RunState, WithdrawUndoesPlan) {
  Rig run(ToySpec(100));
  run.End(run.Grant(2), LeaseState::kExpired);
  Rig twin(ToySpec(100));
  twin.End(twin.Grant(2), LeaseState::kExpired);
  run->Withdraw(run->Plan(50, 5));
  ExpectSame(*run, *twin);
}

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

TEST(RunState, PausesResumesAndStops) {
  Rig run(ToySpec(10));
  const LeaseId lease = run.Grant(2);
  EXPECT_TRUE(run->SetState("paused", "asked to"));
  EXPECT_EQ(run->Available(), 0u);
  run.PlayAll(lease);
  EXPECT_EQ(run->counters().games, 2u) << "games in flight are still taken";
  EXPECT_TRUE(run->SetState("running", ""));
  EXPECT_EQ(run->Available(), 8u);
  EXPECT_TRUE(run->SetState("stopped", ""));
  EXPECT_FALSE(run->SetState("running", ""));
  EXPECT_EQ(run->Available(), 0u);
}

TEST(RunState, NamesTheArmsThatChanged) {
  Rig run(ToySpec(10));
  const LeaseId lease = run.Grant(1);
  EXPECT_FALSE(run->has_changes());
  run.PlayAll(lease);
  ASSERT_TRUE(run->has_changes());
  RunState::Changes changes = run->TakeChanges();
  EXPECT_EQ(changes.edges.size(), run.slots(lease)[0].slot.line.size());
  for (const book::EdgeId edge : changes.edges) {
    EXPECT_EQ(run->EvidenceOf(edge).evidence.games(), 1u);
    EXPECT_EQ(run->EvidenceOf(edge).seq, 1u);
  }
  EXPECT_EQ(changes.checkpoint.seq, 1u);
  EXPECT_EQ(changes.checkpoint.counters.games, 1u);
  EXPECT_THAT(changes.checkpoint.seen, SizeIs(1));
  EXPECT_FALSE(run->has_changes());
  EXPECT_THAT(run->TakeChanges().edges, IsEmpty());

  // What could not be written comes again, before what came meanwhile.
  const std::vector<book::EdgeId> edges = changes.edges;
  const uint64_t first = changes.checkpoint.seen[0];
  run.PlayAll(run.Grant(1));
  run->ReturnChanges(std::move(changes));
  changes = run->TakeChanges();
  EXPECT_THAT(changes.edges, ::testing::IsSupersetOf(edges));
  EXPECT_THAT(changes.checkpoint.seen, SizeIs(2));
  EXPECT_EQ(changes.checkpoint.seen[0], first);
  EXPECT_EQ(changes.checkpoint.seq, 2u);
}

// One position with a choice, whose second move wins every game.
RunSpec OneChoice(std::string policy) {
  RunSpec spec = ToySpec(100'000, std::move(policy));
  spec.deviation = 0;
  spec.stop.settling = {.error = 0.05, .margin = 0.02};
  return spec;
}
Move GoodMove() { return testing::ToyMoves("a2").at(0); }

TEST(RunState, EndsWhenNothingIsLeftToFind) {
  RunSpec spec = OneChoice("epsilon-greedy");
  spec.policy_options = {{"epsilon", "1"}};
  spec.stop.least_gain = 0.001;
  Rig run(spec, /*plies=*/1);
  EXPECT_EQ(run->gain_left(), 1);
  for (int lease = 0; lease < 400 && run->running(); ++lease) {
    const LeaseId granted = run.Grant(5);
    if (run.slots(granted).empty()) break;
    run.PlayFor(granted, GoodMove());
    // A restart at any time finds and decides the same.
    RunState restarted = run.Restart();
    EXPECT_EQ(restarted.gain_left(), run->gain_left());
    EXPECT_EQ(restarted.Available(), run->Available());
    run->Advance();
    restarted.Advance();
    EXPECT_EQ(restarted.row().state, run->row().state);
    EXPECT_EQ(restarted.row().reason, run->row().reason);
  }
  EXPECT_EQ(run->row().state, "done");
  EXPECT_THAT(run->row().reason, ::testing::HasSubstr("no position is left worth a game"));
  EXPECT_GT(run->counters().games, 30u);
  EXPECT_LT(run->counters().games, 2000u);
  EXPECT_EQ(run->gain_left(), 0);
}

TEST(RunState, OpenGamesOfARunWithNothingLeftAreWaitedFor) {
  RunSpec spec = OneChoice("epsilon-greedy");
  spec.policy_options = {{"epsilon", "1"}};
  spec.stop.least_gain = 0.001;
  Rig run(spec, /*plies=*/1);
  const LeaseId slow = run.Grant(1);
  while (run->Available() > 0) {
    ASSERT_LT(run->counters().games, 5000u);
    run.PlayFor(run.Grant(5), GoodMove());
  }
  EXPECT_FALSE(run->Advance());
  EXPECT_TRUE(run->running());
  run.PlayFor(slow, GoodMove());
  EXPECT_TRUE(run->Advance());
  EXPECT_EQ(run->row().state, "done");
}

TEST(RunState, ASettledPositionGetsNoMoreGamesForOtherMoves) {
  RunSpec spec = OneChoice("epsilon-greedy");
  spec.policy_options = {{"epsilon", "1"}};
  Rig run(spec, /*plies=*/1);
  EXPECT_EQ(run->gain_left(), std::nullopt) << "not asked for";
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
  ASSERT_EQ(run->stages(), 3);
  EXPECT_EQ(run->answers_changed(), 1);
  while (run->running()) {
    ASSERT_LT(run->counters().games, 1000u);
    run.PlayFor(run.Grant(7), good);
    RunState restarted = run.Restart();
    EXPECT_EQ(restarted.answers_changed(), run->answers_changed());
    run->Advance();
    restarted.Advance();
    EXPECT_EQ(restarted.row().state, run->row().state);
    EXPECT_EQ(restarted.row().reason, run->row().reason);
    EXPECT_EQ(restarted.row().stage, run->row().stage);
  }
  // The first stage finds the move, the second changes nothing.
  EXPECT_EQ(run->counters().games, 120u);
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

// Random histories: whatever happened, the rows give the same run again.
TEST(RunState, ARestartIsTheSameRun) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Rig run(seed % 2 == 0 ? Staged("12,9", seed % 4 == 0 ? 40 : 0) : ToySpec(60));
    std::vector<std::pair<LeaseId, uint32_t>> open;
    std::vector<std::pair<LeaseId, uint32_t>> lost;
    for (int step = 0; step < 60 && run->running(); ++step) {
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
