// Worker and coordinator play and judge a game with re-entry by the same book.
#include "book/reentry.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/runs/game_replay.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/worker/stones.h"
#include "worker/play/referee.h"

namespace joseki::worker {
namespace {

using testing::ToyMoves;
using testing::ToyPosition;

// Chooses any legal move of the position, and remembers where it was asked.
class RandomPlayer final : public Player {
 public:
  explicit RandomPlayer(uint64_t seed) : rng_(seed) {}
  absl::Status NewGame(uint64_t) override { return absl::OkStatus(); }
  absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) override {
    asked.push_back(game.moves.size());
    ToyPosition position = ToyPosition::Of(game.start).value().first;
    for (const Move move : game.moves) position.Do(move);
    std::vector<Move> moves = position.LegalMoves();
    std::erase_if(moves, [&](Move move) {
      return std::find(limits.excluded.begin(), limits.excluded.end(), move) !=
             limits.excluded.end();
    });
    Choice choice;
    choice.move = moves.at(rng_.Below(moves.size()));
    choice.nodes = 1;
    return choice;
  }
  void Stop() override {}

  std::vector<size_t> asked;

 private:
  Rng rng_;
};

TEST(Reentry, TheCoordinatorAcceptsWhatTheWorkerPlays) {
  const testing::ToyRules rules;
  const auto graph = std::make_shared<const book::Graph>(
      book::Graph::Build(rules, testing::ToyBook(6, "a1 a2 b1 x")).value());
  Rng rng(3);
  PlaySpec spec;
  spec.nodes = 100;
  spec.re_entry = true;
  size_t by_book = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    book::Weights weights(graph->edge_count());
    for (int64_t& weight : weights) weight = static_cast<int64_t>(rng.Below(5));
    const book::AnswerBook book{graph, std::make_shared<const book::Weights>(weights)};
    Slot slot;
    slot.start = "startpos";
    slot.line = ToyMoves("a1 b1");
    slot.line.resize(seed % 3);
    const book::NodeId exit = [&] {
      ToyPosition position;
      for (const Move move : slot.line) position.Do(move);
      return graph->Find(position.key());
    }();
    if (seed % 2 == 0) {
      for (const auto& edge : graph->moves(exit)) slot.excluded.push_back(edge.move);
    }
    RandomPlayer player(seed);
    const RefereedGame game = PlayGame(
        rules, spec, slot, player, [](int) { return true; }, &book);
    ASSERT_FALSE(IsFault(game.ending.termination)) << game.fault;
    by_book += game.moves.size() - slot.line.size() - player.asked.size();
    ASSERT_FALSE(player.asked.empty());
    EXPECT_EQ(player.asked.front(), slot.line.size()) << "the exit is the player's";

    coordinator::Slot given;
    given.start = slot.start;
    given.line = slot.line;
    given.excluded = slot.excluded;
    coordinator::SubmittedGame sent;
    sent.moves = game.moves;
    sent.claim = game.ending;
    const auto checked = coordinator::CheckGame(rules, spec.match, given, sent, &book);
    ASSERT_TRUE(checked.ok()) << checked.status();
    const auto edges =
        book::ReenteredEdges(rules, *graph, slot.start, game.moves, slot.line.size());
    ASSERT_TRUE(edges.ok());
    EXPECT_EQ(checked->reentered, *edges);
    EXPECT_GE(edges->size(), game.moves.size() - slot.line.size() - player.asked.size());
  }
  EXPECT_GT(by_book, 100u) << "the test is of something";
}

TEST(Reentry, WithoutABookTheGameIsThePlayersOwn) {
  const testing::ToyRules rules;
  PlaySpec spec;
  spec.nodes = 100;
  Slot slot;
  slot.start = "startpos";
  RandomPlayer player(1);
  const RefereedGame game = PlayGame(rules, spec, slot, player, [](int) { return true; });
  EXPECT_EQ(player.asked.size(), game.moves.size());
}

}  // namespace
}  // namespace joseki::worker
