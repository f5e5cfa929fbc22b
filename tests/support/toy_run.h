#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/rng.h"
#include "book/database/book_import.h"
#include "book/database/store.h"
#include "book/folding.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/game_replay.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_state.h"
#include "coordinator/store/run_store.h"
#include "tests/support/symmetric_toy_rules.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

// Runs of the toy game, for tests of the coordinator without shogi and without an engine.
namespace joseki::testing {

// A clock that moves only when told to. Thread-safe.
class FakeClock : public Clock {
 public:
  absl::Time Now() const override { return absl::FromUnixMillis(ms_); }
  void Advance(absl::Duration by) { ms_ += absl::ToInt64Milliseconds(by); }

 private:
  std::atomic<int64_t> ms_ = 1'000'000'000;
};

inline coordinator::RunSpec ToySpec(uint64_t games, std::string policy = "sample-average") {
  coordinator::RunSpec spec;
  spec.name = "toy";
  spec.play.game = "toy";
  spec.play.engine_id = "toy-engine";
  spec.play.engine_signature = 77;
  spec.policy = std::move(policy);
  spec.games = games;
  spec.deviation = 0.1;
  spec.seed = 5;
  spec.verify_percent = 0;
  return spec;
}

inline void WriteToyBook(const std::string& path, const std::vector<book::GraphInput>& book) {
  auto store = book::Store::Open(path, book::OpenMode::kCreate, "toy").value();
  book::BookImport import(*store, "games", "toy", "{}");
  for (const book::GraphInput& position : book) {
    for (const auto& move : position.moves) {
      ASSERT_TRUE(
          import.AddPlayed(position.packed, position.ply, move.move, false, {1, 1, 0, 0}).ok());
    }
  }
  ASSERT_TRUE(import.Commit(1, 0).ok());
}
inline void WriteToyBook(const std::string& path, int plies = 4) {
  WriteToyBook(path, ToyBook(plies));
}

// The game of the slot's seed: the line, a first move that is not excluded, then random moves.
inline coordinator::SubmittedGame PlaySlot(coordinator::RunId run, coordinator::LeaseId lease,
                                           const coordinator::Slot& slot) {
  coordinator::SubmittedGame game;
  game.run = run;
  game.lease = lease;
  game.slot = slot.slot;
  const auto state = ToyRules().Start(slot.start, MatchRules{}).value();
  for (const Move move : slot.line) {
    if (state->ending()) break;
    EXPECT_TRUE(state->Play(move));
    game.moves.push_back(move);
  }
  Rng rng(slot.seed);
  if (!state->ending()) {
    std::vector<Move> exits = state->LegalMoves();
    std::erase_if(exits, [&](Move move) {
      return std::find(slot.excluded.begin(), slot.excluded.end(), move) != slot.excluded.end();
    });
    const Move exit = exits.at(rng.Below(exits.size()));
    EXPECT_TRUE(state->Play(exit));
    game.moves.push_back(exit);
  }
  game.claim = PlayOut(*state, rng, game.moves);
  game.nodes = 100 * game.moves.size();
  game.think_ms = 3;
  return game;
}

// A game whose first move is invalid: a fault.
inline coordinator::SubmittedGame FaultOf(coordinator::RunId run, coordinator::LeaseId lease,
                                          const coordinator::Slot& slot,
                                          Termination termination = Termination::kCrash) {
  coordinator::SubmittedGame game;
  game.run = run;
  game.lease = lease;
  game.slot = slot.slot;
  game.moves = slot.line;
  game.claim = {Result::kNone, termination};
  game.fault = "the engine went away";
  return game;
}

// A run without games on a toy book, in memory only.
inline coordinator::LoadedRun FreshRun(const coordinator::RunSpec& spec, int plies = 4) {
  coordinator::LoadedRun run;
  run.row.run = 1;
  run.row.spec = spec;
  run.graph =
      std::make_shared<const book::Graph>(book::Graph::Build(ToyRules(), ToyBook(plies)).value());
  run.policy = coordinator::PolicyOf(spec).value();
  run.tuner = std::make_unique<book::Tuner>(
      run.graph, run.policy, /*priors=*/nullptr,
      book::OrbitsFor(SymmetricToyRules(), *run.graph, spec.policy_options).value());
  return run;
}

// The row that intake and writer make from a game.
inline coordinator::GameRow RowOf(const coordinator::PlannedSlot& plan, int stage,
                                  const coordinator::SubmittedGame& game, uint64_t commit_seq) {
  const auto checked = coordinator::CheckGame(ToyRules(), MatchRules{}, plan.slot, game).value();
  coordinator::GameRow row;
  row.run = game.run;
  row.lease = game.lease;
  row.slot = game.slot;
  row.commit_seq = commit_seq;
  row.stage = stage;
  row.worker = "w";
  row.payload_hash = checked.payload_hash;
  row.moves_hash = checked.moves_hash;
  row.book_plies = static_cast<uint32_t>(std::min(plan.slot.line.size(), game.moves.size()));
  row.ending = checked.ending;
  row.nodes = game.nodes;
  row.think_ms = game.think_ms;
  row.moves = game.moves;
  row.fault = game.fault;
  return row;
}

}  // namespace joseki::testing
