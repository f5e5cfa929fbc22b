#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "book/tuning/tuner.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_state.h"
#include "gtest/gtest.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {

inline RunSpec Staged(std::string games, uint64_t budget = 0) {
  RunSpec spec = testing::ToySpec(budget, "result-driven");
  spec.policy_options = {{"delta", "4,2"}, {"rand", "8"}};
  if (!games.empty()) spec.policy_options["games"] = std::move(games);
  return spec;
}

// A run with its rows, as a coordinator keeps them.
class Rig {
 public:
  explicit Rig(const RunSpec& spec, int plies = 4) : spec_(spec), plies_(plies) {
    state_.emplace(testing::FreshRun(spec, plies), 0, RunState::Options{});
    start_ = state_->book().graph->Find(testing::ToyPosition().key());
    state_.emplace(testing::FreshRun(spec, plies), start_, RunState::Options{});
  }

  RunState& operator*() { return *state_; }
  RunState* operator->() { return &*state_; }

  // Grants a lease; without a name to a new worker.
  LeaseId Grant(uint32_t most, std::string worker = {}) {
    const LeaseId lease = next_lease_++;
    if (worker.empty()) worker = "w" + std::to_string(lease);
    Lease& row = leases_[lease];
    row.grant.lease = lease;
    row.grant.stage = state_->row().stage;
    row.grant.worker = worker;
    row.grant.slots = state_->Plan(lease, most, {}, worker);
    return lease;
  }
  const std::vector<PlannedSlot>& slots(LeaseId lease) { return leases_.at(lease).grant.slots; }

  void Play(LeaseId lease, uint32_t slot) {
    Commit(lease, slot, testing::PlaySlot(1, lease, slots(lease).at(slot).slot));
  }
  void Draw(LeaseId lease, uint32_t slot) {
    PlayTo(lease, slot, {Result::kDraw, Termination::kMaxPlies});
  }
  // Records a game's result without replaying it by the rules: only the row counts.
  void PlayTo(LeaseId lease, uint32_t slot, Ending ending) {
    SubmittedGame game = testing::PlaySlot(1, lease, slots(lease).at(slot).slot);
    GameRow row =
        testing::RowOf(slots(lease).at(slot), leases_.at(lease).grant.stage, game, next_seq_++);
    row.ending = ending;
    row.moves_hash = row.commit_seq;  // unique
    Credit(row);
  }
  // Plays the whole lease; lines that begin with `good` win for the first side, others for the
  // second.
  void PlayFor(LeaseId lease, Move good) {
    for (const PlannedSlot& plan : slots(lease)) {
      const bool wins = !plan.slot.line.empty() && plan.slot.line[0] == good;
      PlayTo(lease, plan.slot.slot,
             {wins ? Result::kFirstWins : Result::kSecondWins, Termination::kResign});
    }
  }
  void Fault(LeaseId lease, uint32_t slot, Termination termination = Termination::kCrash) {
    Commit(lease, slot, testing::FaultOf(1, lease, slots(lease).at(slot).slot, termination));
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
    state_->Lose({lease, row.grant.worker}, open, how);
    Write();
  }
  // Frees poisoned lines, as an operator does.
  size_t Free(const std::optional<std::vector<Move>>& line = {}) {
    const size_t lines = state_->FreeLines(line, next_lease_);
    Write();
    return lines;
  }
  // Excludes the games and faults of this worker from now on.
  void Block(const std::string& worker) {
    TrustChange change;
    change.change = trust_.change() + 1;
    change.worker = worker;
    trust_.Apply(change);
    Retrust();
  }
  void Unblock(const std::string& worker) {
    TrustChange change;
    change.change = trust_.change() + 1;
    change.worker = worker;
    change.action = TrustAction::kUnblock;
    trust_.Apply(change);
    Retrust();
  }

  // A new state from the rows alone, as LoadRun and a restart build it.
  RunState Restart() {
    LoadedRun loaded = testing::FreshRun(spec_, plies_);
    loaded.row = state_->row();
    loaded.trust = trust_;
    bool frozen = false;
    for (const GameRow& game : games_) {
      if (!frozen && game.commit_seq > loaded.row.stage_seq) {
        loaded.tuner->Freeze();
        frozen = true;
      }
      const bool excluded = trust_.Excludes(game.worker, game.lease);
      Count(*loaded.policy, game, excluded, loaded.counters);
      loaded.commit_seq = game.commit_seq;
      if (IsFault(game.ending.termination)) {
        if (game.stage == loaded.row.stage) loaded.faults.push_back(game);
        continue;
      }
      if (excluded) continue;
      const std::vector<book::EdgeId> edges =
          book::EdgesOf(*loaded.graph, start_, std::span(game.moves).first(game.book_plies));
      loaded.tuner->Apply({edges, game.ending, game.stage, game.moves_hash});
    }
    if (!frozen) loaded.tuner->Freeze();
    UnfinishedWork unfinished;
    unfinished.poisoned = Rows();
    for (const auto& [id, lease] : leases_) {
      for (const PlannedSlot& plan : lease.grant.slots) {
        if (plan.replaces.lease != 0) unfinished.replaced.push_back(plan.replaces);
      }
      if (lease.filled.size() < lease.grant.slots.size()) {
        unfinished.leases.push_back({lease.grant, lease.state, lease.filled});
      }
    }
    for (const GameRow& fault : loaded.faults) {
      unfinished.faults.push_back({fault, slots(fault.lease).at(fault.slot)});
    }
    return RunState(std::move(loaded), start_, RunState::Options{}, unfinished);
  }

  // Recomputes all games up to now.
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
    tuner->ComputeValues();
    rebuilt.evidence = std::make_unique<RunEvidence>(std::move(tuner), std::move(counters),
                                                     point.trust, point.row);
    rebuilt.point = std::move(point);
    return rebuilt;
  }

  // Rows of poisoned and freed lines, in the order of writing.
  std::vector<PoisonedLine> poisoned_;

 private:
  // The newest row of each line.
  std::vector<PoisonedLine> Rows() const {
    std::map<std::vector<Move>, PoisonedLine> rows;
    for (const PoisonedLine& line : poisoned_) rows.insert_or_assign(line.line, line);
    std::vector<PoisonedLine> lines;
    for (const auto& row : rows) lines.push_back(row.second);
    return lines;
  }
  void Write() {
    for (PoisonedLine& line : state_->TakeNewRows().lines) poisoned_.push_back(std::move(line));
  }
  void Retrust() {
    RebuiltRun rebuilt = Rebuild(state_->BeginRebuild(trust_));
    while (state_->Adopt(rebuilt) == Progress::kMore) {
    }
  }

  struct Lease {
    LeaseGrant grant;
    LeaseState state = LeaseState::kLive;
    std::set<uint32_t> filled;
  };

  void Commit(LeaseId lease, uint32_t slot, const SubmittedGame& game) {
    Credit(testing::RowOf(slots(lease).at(slot), leases_.at(lease).grant.stage, game, next_seq_++));
  }
  void Credit(GameRow row) {
    Lease& lease = leases_.at(row.lease);
    const bool open = lease.state == LeaseState::kLive;
    row.stale = !open;
    row.worker = lease.grant.worker;
    ASSERT_TRUE(lease.filled.insert(row.slot).second);
    games_.push_back(row);
    state_->Credit(row, lease.grant.slots.at(row.slot), open);
    Write();
  }

  const RunSpec spec_;
  const int plies_;
  book::NodeId start_ = 0;
  std::optional<RunState> state_;
  LeaseId next_lease_ = 1;
  uint64_t next_seq_ = 1;
  Trust trust_;
  std::map<LeaseId, Lease> leases_;
  std::vector<GameRow> games_;
};

inline uint64_t InFlight(const RunState& state) {
  uint64_t sum = 0;
  for (const book::Arm& arm : state.evidence().tuner().arms()) sum += arm.in_flight;
  return sum;
}

inline std::vector<book::Arm> Selection(const RunState& state) {
  std::vector<book::Arm> arms;
  for (book::EdgeId edge = 0; edge < state.book().graph->edge_count(); ++edge) {
    arms.push_back(state.evidence().tuner().frozen(edge));
  }
  return arms;
}

inline void ExpectSame(RunState& a, RunState& b) {
  EXPECT_EQ(a.row().stage, b.row().stage);
  EXPECT_EQ(a.evidence().counters(), b.evidence().counters());
  EXPECT_EQ(a.evidence().seq(), b.evidence().seq());
  EXPECT_EQ(a.open_slots(), b.open_slots());
  EXPECT_EQ(a.Available(), b.Available());
  EXPECT_EQ(a.lines().lost().poisoned(), b.lines().lost().poisoned());
  const auto same_arms = [](std::span<const book::Arm> x, std::span<const book::Arm> y) {
    ASSERT_EQ(x.size(), y.size());
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(x[i].sum, y[i].sum) << i;
      EXPECT_EQ(x[i].in_flight, y[i].in_flight) << i;
      EXPECT_EQ(x[i].evidence.wins, y[i].evidence.wins) << i;
      EXPECT_EQ(x[i].evidence.losses, y[i].evidence.losses) << i;
    }
  };
  same_arms(a.evidence().tuner().arms(), b.evidence().tuner().arms());
  same_arms(Selection(a), Selection(b));
  // The next planned slots reflect the whole state.
  EXPECT_EQ(a.Plan(1000, 20), b.Plan(1000, 20));
}

// A position with a choice, where the second move wins every game.
inline RunSpec OneChoice(std::string policy) {
  RunSpec spec = testing::ToySpec(100'000, std::move(policy));
  spec.deviation = 0;
  spec.stop.settling = {.error = 0.05, .margin = 0.02};
  return spec;
}
inline Move GoodMove() { return testing::ToyMoves("a2").at(0); }

}  // namespace joseki::coordinator
