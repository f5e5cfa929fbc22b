#pragma once

#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/invariants.h"
#include "coordinator/runs/run_load.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {

inline bool IsSearch(const Slot& slot) { return IsSearch(slot.kind); }

// Result of a search of the slot's position, with a score specific to the position. A trial plays
// the first legal move everywhere.
inline SubmittedGame SearchOf(const Lease& lease, const Slot& slot,
                              std::optional<int16_t> score = {}) {
  SubmittedGame game;
  game.run = lease.run;
  game.lease = lease.lease;
  game.slot = slot.slot;
  game.moves = slot.line;
  const auto state = testing::ToyRules().Start(slot.start, MatchRules{}).value();
  for (const Move move : slot.line) EXPECT_TRUE(state->Play(move));
  const auto opinion = [&] {
    return score.value_or(static_cast<int16_t>(state->key().lo % 400 - 200));
  };
  game.claim = {Result::kNone, Termination::kNone};
  game.nodes = slot.nodes;
  if (slot.kind == SlotKind::kTrial) {
    while (game.scores.size() < slot.plies && !state->ending()) {
      game.scores.push_back(opinion());
      game.moves.push_back(state->LegalMoves().front());
      EXPECT_TRUE(state->Play(game.moves.back()));
    }
    if (const auto ending = state->ending()) game.claim = *ending;
    return game;
  }
  std::vector<Move> moves = state->LegalMoves();
  std::erase_if(moves, [&](Move move) {
    return std::find(slot.excluded.begin(), slot.excluded.end(), move) != slot.excluded.end();
  });
  game.moves.push_back(moves.empty() ? state->LegalMoves().front() : moves.front());
  game.scores = {opinion()};
  game.depth = 7;
  return game;
}

// A worker of the coordinator.
struct Hand {
  std::string name;
  bool evaluates = true;
  JoinOutput session = {};
};

// A coordinator of a toy book with two workers, whose engine depends on the position alone.
class SearchingRun : public ::testing::Test {
 protected:
  SearchingRun() : path_(folder_ / "book.sqlite") { testing::WriteToyBook(path_, 5); }

  void Start() {
    Coordinator::Options options;
    options.db_path = path_;
    options.acquire_wait = absl::ZeroDuration();
    options.slots_per_lease = 4;
    auto coordinator = Coordinator::Start(options, rules_, clock_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
    for (Hand* hand : {&worker_, &other_}) Join(*hand);
  }
  void Restart() {
    coordinator_.reset();
    Start();
  }
  void Join(Hand& hand) {
    std::promise<absl::StatusOr<JoinOutput>> joined;
    JoinInput input;
    input.worker = hand.name;
    input.protocol = kProtocol;
    input.seats = 4;
    input.engines = {{"toy-engine", "Toy", signature_, "", "test"}};
    if (hand.evaluates) {
      for (const SlotKind kind : {SlotKind::kEvaluation, SlotKind::kReply, SlotKind::kTrial}) {
        input.kinds.Add(kind);
      }
    }
    coordinator_->workers().Join(input, [&](auto output) { joined.set_value(std::move(output)); });
    const auto session = joined.get_future().get();
    ASSERT_TRUE(session.ok()) << session.status();
    hand.session = *session;
  }
  RunId Create(const RunSpec& spec) {
    const auto created = coordinator_->operators().CreateRun(spec, "");
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? created->run : 0;
  }
  std::vector<Lease> Acquire(const Hand& hand, uint32_t want = 4) {
    std::promise<absl::StatusOr<AcquireOutput>> answer;
    coordinator_->workers().Acquire({hand.session.session, want, {}},
                                    [&](auto output) { answer.set_value(std::move(output)); });
    auto output = answer.get_future().get();
    EXPECT_TRUE(output.ok()) << output.status();
    return output.ok() ? output->leases : std::vector<Lease>();
  }
  absl::StatusOr<SubmitOutput> TrySubmit(const Hand& hand, std::vector<SubmittedGame> games) {
    std::promise<absl::StatusOr<SubmitOutput>> answer;
    coordinator_->workers().Submit({{hand.session.session}, hand.session.epoch, std::move(games)},
                                   [&](auto output) { answer.set_value(std::move(output)); });
    return answer.get_future().get();
  }
  std::vector<Verdict> Submit(const Hand& hand, std::vector<SubmittedGame> games) {
    const auto output = TrySubmit(hand, std::move(games));
    EXPECT_TRUE(output.ok()) << output.status();
    std::vector<Verdict> verdicts;
    if (!output.ok()) return verdicts;
    for (const GameVerdict& verdict : output->verdicts) {
      verdicts.push_back(verdict.verdict);
      if (verdict.verdict == Verdict::kRejected) reasons_.push_back(verdict.reason);
    }
    return verdicts;
  }
  static SubmittedGame Done(const Lease& lease, const Slot& slot) {
    return IsSearch(slot) ? SearchOf(lease, slot) : testing::PlaySlot(lease.run, lease.lease, slot);
  }
  // Works until nothing is left to do, or for `most` slots; both searches and games.
  struct Worked {
    uint64_t searches = 0;
    uint64_t games = 0;
  };
  Worked Work(uint64_t most = 1'000'000) { return WorkOn(worker_, most); }
  Worked WorkOn(const Hand& hand, uint64_t most) {
    Worked worked;
    while (worked.searches + worked.games < most) {
      const std::vector<Lease> leases = Acquire(hand);
      if (leases.empty()) break;
      for (const Lease& lease : leases) {
        std::vector<SubmittedGame> games;
        for (const Slot& slot : lease.slots) {
          ++(IsSearch(slot) ? worked.searches : worked.games);
          games.push_back(Done(lease, slot));
        }
        for (const Verdict verdict : Submit(hand, games)) {
          EXPECT_EQ(verdict, Verdict::kAccepted);
        }
      }
    }
    return worked;
  }
  RunStatus StatusOf(RunId run) { return coordinator_->readers().GetStatus(run).runs.at(0); }
  // Stops the coordinator and checks all invariants.
  void ExpectWhole() {
    coordinator_.reset();
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    EXPECT_THAT(CheckInvariants(*store, rules_, {}).value().first, ::testing::IsEmpty());
  }
  // Weights of all book moves, computed from the rows.
  std::vector<double> Weights(RunId run) {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const LoadedRun loaded = LoadRun(*store, rules_, run).value();
    std::vector<double> weights;
    for (book::NodeId node = 0; node < loaded.graph->node_count(); ++node) {
      const book::Choices choices = loaded.tuner->choices(node);
      for (size_t i = 0; i < choices.size(); ++i) {
        weights.push_back(loaded.policy->Weight(choices, i));
      }
    }
    return weights;
  }
  // Weights of the start position's moves as the coordinator holds them in memory.
  std::vector<double> LiveWeights(RunId run) {
    std::vector<double> weights;
    const absl::StatusOr<PositionEvidence> start = coordinator_->readers().GetPosition(run, "");
    for (const MoveEvidence& move : start->moves) {
      weights.push_back(move.weight);
    }
    return weights;
  }
  void Execute(const std::string& sql) {
    SQLite::Database db(path_, SQLite::OPEN_READWRITE);
    db.exec(sql);
  }
  int Number(const std::string& sql) {
    SQLite::Database db(path_, SQLite::OPEN_READONLY);
    return db.execAndGet(sql).getInt();
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  testing::FakeClock clock_;
  uint64_t signature_ = 77;
  std::unique_ptr<Coordinator> coordinator_;
  Hand worker_{"w"};
  Hand other_{"v"};
  Hand third_{"u"};  // joins only on request
  std::vector<std::string> reasons_;
};

}  // namespace joseki::coordinator
