#include "book/simulation/simulate_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "book/simulation/line_settings.h"
#include "book/simulation/line_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/problem_code.h"

namespace joseki::book {
namespace {

using ::joseki::testing::CodeOf;

std::unique_ptr<GameState> Start(const LineWorld& world) {
  return world.Start("startpos", MatchRules{}).value();
}

// Positions of random lines.
std::vector<std::unique_ptr<GameState>> Positions(const LineWorld& world, int count) {
  std::vector<std::unique_ptr<GameState>> positions;
  for (int i = 0; i < count; ++i) {
    Rng rng(static_cast<uint64_t>(i));
    positions.push_back(Start(world));
    for (uint64_t plies = rng.Below(20); plies > 0; --plies) {
      const std::vector<Move> moves = positions.back()->LegalMoves();
      EXPECT_TRUE(positions.back()->Play(moves[rng.Below(moves.size())]));
    }
  }
  return positions;
}

// The worth that the move of a search gives away.
double Loss(const LineWorld& world, const GameState& state, uint64_t nodes, uint64_t seed) {
  Rng rng(seed);
  const Move move = world.Search(state, nodes, {}, rng).move;
  const auto after = world.Start(state.packed(), MatchRules{}).value();
  EXPECT_TRUE(after->Play(move));
  return world.Worth(state) + world.Worth(*after);
}

TEST(LineWorld, OneMoveOfAPositionKeepsItsWorth) {
  const LineWorld world(LineWorldOptions{}, 3);
  for (const auto& state : Positions(world, 50)) {
    int keep = 0;
    for (const Move move : state->LegalMoves()) {
      const auto after = world.Start(state->packed(), MatchRules{}).value();
      EXPECT_EQ(after->key(), state->key());
      EXPECT_EQ(world.Worth(*after), world.Worth(*state));
      ASSERT_TRUE(after->Play(move));
      EXPECT_LE(-world.Worth(*after), world.Worth(*state));
      if (-world.Worth(*after) == world.Worth(*state)) ++keep;
    }
    EXPECT_EQ(keep, 1);
  }
}

TEST(LineWorld, AnEngineErrsLessWithMoreNodesAndTheSameWithAsMany) {
  LineWorldOptions options;
  options.chance = 0;
  const LineWorld world(options, 3);
  double before = 1e9;
  for (const uint64_t nodes : {400, 4'000, 40'000, 400'000}) {
    double sum = 0;
    for (const auto& state : Positions(world, 400)) {
      const double loss = Loss(world, *state, nodes, 1);
      EXPECT_EQ(loss, Loss(world, *state, nodes, 2));
      sum += loss;
    }
    EXPECT_LT(sum, 0.8 * before) << nodes;
    before = sum;
  }
  options.error = 0;
  options.drift = 0;
  const LineWorld flawless(options, 3);
  for (const auto& state : Positions(flawless, 50)) {
    Rng rng(1);
    EXPECT_EQ(Loss(flawless, *state, 400, 1), 0);
    EXPECT_EQ(flawless.Search(*state, 400, {}, rng).centipawns, flawless.Worth(*state));
  }
}

TEST(LineWorld, MisjudgementsHaveTheDeviationThatIsAsked) {
  LineWorldOptions options;
  options.moves = 2;
  options.mean_loss = 0;
  options.drift = 0;
  options.chance = 0;
  options.error = 100;
  options.a_doubling = 0.5;
  const LineWorld world(options, 3);
  for (const auto& [nodes, deviation] : {std::pair<uint64_t, double>{400, 100}, {1'600, 25}}) {
    double squares = 0;
    constexpr int kPositions = 3'000;
    for (const auto& state : Positions(world, kPositions)) {
      Rng rng(1);
      const std::vector<Move> others = {Move(2)};
      const double error = world.Search(*state, nodes, others, rng).centipawns;
      squares += (error - world.Worth(*state)) * (error - world.Worth(*state));
    }
    EXPECT_NEAR(std::sqrt(squares / kPositions), deviation, 0.06 * deviation) << nodes;
  }
}

TEST(LineWorld, ItsBookIsThatOfItsPlayers) {
  LineWorldOptions options;
  options.mean_loss = 10'000;
  options.human_noise = 0;
  options.human_temperature = 1;
  options.book_plies = 6;
  const LineWorld world(options, 3);
  const Graph book = world.Book().value();
  EXPECT_EQ(book.Serialize(), world.Book()->Serialize());
  EXPECT_NE(book.Serialize(), LineWorld(options, 4).Book()->Serialize());
  // Players who err in nothing play the best move alone.
  const auto state = Start(world);
  for (uint32_t ply = 0; ply < options.book_plies; ++ply) {
    const NodeId node = book.Find(state->key());
    ASSERT_NE(node, kNoNode);
    ASSERT_EQ(book.moves(node).size(), 1u);
    const double worth = world.Worth(*state);
    ASSERT_TRUE(state->Play(book.moves(node).front().move));
    EXPECT_EQ(world.Worth(*state), -worth);
  }
}

TEST(LineWorld, RefusesWhatIsNotOfIt) {
  const LineWorld world(LineWorldOptions{}, 3);
  EXPECT_EQ(CodeOf(world.Start("somewhere", MatchRules{}).status()), "bad_position");
  EXPECT_EQ(CodeOf(world.Start(PackedPosition{}, MatchRules{}).status()), "bad_position");
  const auto state = Start(world);
  EXPECT_FALSE(state->Play(Move(11)));
  EXPECT_FALSE(state->Play(Move()));
  EXPECT_EQ(CodeOf(state->ParseMove("m11").status()), "malformed_move");
  EXPECT_EQ(CodeOf(state->ParseMove("7g7f").status()), "malformed_move");
  EXPECT_EQ(state->ParseMove("m3").value(), Move(3));
  EXPECT_EQ(world.MoveOf(world.Text(Move(7))), Move(7));
}

LineSimulation FewLines() {
  LineSimulation simulation;
  simulation.budgets = {20, 200};
  simulation.match_games = 200;
  return simulation;
}

TEST(SimulateLines, ABookGainsAndGainsMoreWithMoreNodes) {
  const std::vector<LineBooks> books = SimulateLineBooks(FewLines(), 1, 6, 2).value();
  ASSERT_EQ(books.size(), 2u);
  EXPECT_EQ(books[0].budget, 20u);
  EXPECT_GT(books[1].lines.mean, 5 * books[0].lines.mean);
  EXPECT_GT(books[1].answers.mean, books[0].answers.mean);
  EXPECT_GT(books[1].own_moves.mean, books[0].own_moves.mean);
  EXPECT_GT(books[1].input.mean, 2 * books[1].input.standard_error);
  // Runs are the same for any number of threads and of concurrent books.
  const std::vector<LineBook> third = SimulateLines(FewLines(), 3).value();
  LineSimulation at_once = FewLines();
  at_once.budgets = {200};
  EXPECT_EQ(SimulateLines(at_once, 3)->front().lines, third[1].lines);
  const std::vector<LineBooks> again = SimulateLineBooks(FewLines(), 1, 6, 1).value();
  EXPECT_EQ(again[1].bookless.mean, books[1].bookless.mean);
}

TEST(SimulateLines, NothingIsWonFromThoseWhoDoNotErr) {
  LineSimulation simulation = FewLines();
  simulation.world.mean_loss = 10'000;
  simulation.world.error = 0;
  simulation.world.chance = 0;
  simulation.world.human_noise = 0;
  simulation.world.human_temperature = 1;
  simulation.world.start_worth = 0;
  const std::vector<LineBook> books = SimulateLines(simulation, 1).value();
  for (const double elo : {books[1].input, books[1].equal, books[1].bookless}) EXPECT_EQ(elo, 0);
}

TEST(LineSettings, AreReadAndChangedByName) {
  LineSimulation simulation;
  ASSERT_TRUE(ChangeSetting("unchosen", "0.24", simulation).ok());
  EXPECT_EQ(simulation.rules.unchosen, 0.24);
  ASSERT_TRUE(ChangeSetting("moves", "4", simulation).ok());
  EXPECT_EQ(simulation.world.moves, 4);
  ASSERT_TRUE(ChangeSetting("trial_share", "20", simulation).ok());
  EXPECT_EQ(simulation.trial_share, 20u);
  std::vector<std::string_view> names;
  for (const LineSetting& setting : LineSettings()) {
    EXPECT_GE(setting.Of(simulation), setting.least) << setting.name;
    EXPECT_LE(setting.Of(simulation), setting.most) << setting.name;
    names.push_back(setting.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"unchosn", "0"},
                                    {"unchosen", "2"},
                                    {"unchosen", "nan"},
                                    {"unchosen", "much"},
                                    {"moves", "2.5"},
                                    {"moves", "1"}}) {
    EXPECT_EQ(CodeOf(ChangeSetting(name, value, simulation)), "bad_setting") << name << value;
  }
}

}  // namespace
}  // namespace joseki::book
