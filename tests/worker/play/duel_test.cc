#include "worker/play/duel.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"
#include "worker/play/referee.h"

namespace joseki::worker {
namespace {

using joseki::testing::ToyMoves;
using joseki::testing::ToyPosition;
using joseki::testing::ToyRules;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Plays the moves of a list in turn, and notes what it was asked.
class Scripted : public Player {
 public:
  explicit Scripted(const std::string& moves) : moves_(ToyMoves(moves)) {}

  absl::Status NewGame(uint64_t seed) override {
    seeds.push_back(seed);
    return absl::OkStatus();
  }
  absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) override {
    plies.push_back(game.moves.size());
    nodes.push_back(limits.nodes);
    excluded.assign(limits.excluded.begin(), limits.excluded.end());
    if (fail_at && plies.size() == *fail_at) return absl::UnavailableError("gone");
    Choice choice;
    choice.move = moves_.at(plies.size() - 1);
    choice.nodes = 5;
    return choice;
  }
  void Stop() override { ++stops; }

  std::vector<uint64_t> seeds;
  std::vector<size_t> plies;
  std::vector<uint64_t> nodes;
  std::vector<Move> excluded;
  std::optional<size_t> fail_at;
  int stops = 0;

 private:
  const std::vector<Move> moves_;
};

std::shared_ptr<const book::PlayBook> BookOf(const std::map<std::string, std::string>& answers) {
  std::map<PackedPosition, book::GraphInput> sorted;
  for (const auto& [position, move] : answers) {
    book::GraphInput input;
    input.packed = ToyPosition::Of(position).value().first.packed();
    input.moves.push_back({ToyMoves(move)[0], 1});
    sorted[input.packed] = input;
  }
  std::vector<book::GraphInput> inputs;
  for (const auto& [packed, input] : sorted) inputs.push_back(input);
  auto graph = std::make_shared<const book::Graph>(*book::Graph::Build(ToyRules(), inputs));
  std::vector<book::EdgeId> edges;
  for (book::EdgeId edge = 0; edge < graph->edge_count(); ++edge) edges.push_back(edge);
  std::vector<double> weights(edges.size(), 1);
  return std::make_shared<book::PlayBook>(
      book::MakePlayBook(std::move(graph), std::move(weights), std::move(edges)));
}

struct Table {
  ToyRules rules;
  PlaySpec first_play;
  PlaySpec second_play;
  Slot slot;
  Table() {
    first_play.game = second_play.game = "toy";
    first_play.nodes = 100;
    second_play.nodes = 40;
    slot.start = "3-3 b 1";
    slot.seed = 9;
  }
  RefereedGame Play(Duel& duel) {
    return PlayGame(rules, first_play, slot, duel, [](int) { return true; });
  }
};

TEST(DuelTest, EachSideChoosesWithinItsOwnLimits) {
  Table setup;
  Scripted first("a1 a1 b1");
  Scripted second("b1 a1 b1");
  Duel duel(setup.rules, {&first, &setup.first_play, nullptr, {}},
            {&second, &setup.second_play, nullptr, {}});
  const RefereedGame game = setup.Play(duel);
  EXPECT_EQ(game.ending.termination, Termination::kNoLegalMove) << game.fault;
  EXPECT_THAT(first.plies, ElementsAre(0, 2, 4));
  EXPECT_THAT(second.plies, ElementsAre(1, 3, 5));
  EXPECT_THAT(first.nodes, ElementsAre(100, 100, 100));
  EXPECT_THAT(second.nodes, ElementsAre(40, 40, 40));
  EXPECT_THAT(first.seeds, ElementsAre(9));
  EXPECT_THAT(second.seeds, ElementsAre(9));
  EXPECT_EQ(duel.used(Color::kFirst).moves, 3u);
  EXPECT_EQ(duel.used(Color::kSecond).nodes, 15u);
}

// The second player's book knows 3-2 and 0-1. Both occur; 0-1 only after its engine has chosen, so
// the game is back in the book. The first player has none of it.
TEST(DuelTest, EachSideFollowsItsOwnBook) {
  Table setup;
  Scripted first("b1 a1 b1");
  Scripted second("a1");
  const auto book = BookOf({{"3-2 w 2", "a1"}, {"0-1 w 4", "b1"}, {"3-3 b 1", "a3"}});
  Duel duel(setup.rules, {&first, &setup.first_play, nullptr, {}},
            {&second, &setup.second_play, book, {}});
  const RefereedGame game = setup.Play(duel);
  EXPECT_EQ(game.moves, ToyMoves("b1 a1 a1 a1 b1 b1")) << game.fault;
  EXPECT_THAT(second.plies, ElementsAre(3));
  EXPECT_EQ(duel.used(Color::kSecond).book_moves, 2u);
  EXPECT_EQ(duel.used(Color::kFirst).book_moves, 0u);
}

TEST(DuelTest, LeavesTheBookWhereItIsTold) {
  Table setup;
  Scripted first("b1 b1 b1");
  Scripted second("b2");
  const auto book = BookOf({{"3-3 b 1", "a3"}});
  Duel duel(setup.rules, {&first, &setup.first_play, book, {.deviation = 1}},
            {&second, &setup.second_play, nullptr, {}});
  duel.NewGame(1).IgnoreError();
  const auto choice = duel.Choose({"3-3 b 1", {}}, {});
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->move, ToyMoves("b1")[0]);
  EXPECT_EQ(first.excluded, ToyMoves("a3"));
}

TEST(DuelTest, AnExcludedMoveIsAFault) {
  Table setup;
  Scripted first("a3");
  Scripted second("");
  const auto book = BookOf({{"3-3 b 1", "a3"}});
  Duel duel(setup.rules, {&first, &setup.first_play, book, {.deviation = 1}},
            {&second, &setup.second_play, nullptr, {}});
  const RefereedGame game = setup.Play(duel);
  EXPECT_EQ(game.ending.termination, Termination::kIllegalMove);
  EXPECT_THAT(game.fault, HasSubstr("excluded"));
}

TEST(DuelTest, SaysWhoIsToBlame) {
  Table setup;
  Scripted first("a1 a1");
  Scripted second("a1 b1");
  second.fail_at = 1;
  Duel duel(setup.rules, {&first, &setup.first_play, nullptr, {}},
            {&second, &setup.second_play, nullptr, {}});
  const RefereedGame game = setup.Play(duel);
  EXPECT_EQ(game.ending.termination, Termination::kCrash);
  EXPECT_EQ(duel.asked(), Color::kSecond);
  duel.Stop();
  EXPECT_EQ(first.stops + second.stops, 2);
}

}  // namespace
}  // namespace joseki::worker
