#include "coordinator/runs/run_calibration.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/resignation.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

namespace joseki::coordinator {
namespace {

constexpr int16_t kClear = 879;  // is worth 0.75

RunCalibration Make(const std::string& start = "90-95 b 1", uint32_t share = 90) {
  const testing::ToyRules rules;
  const auto graph = book::Graph::Build(rules, testing::ToyBook(3, "a1 a2 b1", start)).value();
  RunSpec spec;
  spec.start = start;
  spec.line_searches = {.nodes = 2000, .share = share};
  return RunCalibration(spec, graph, graph.Find(testing::ToyAt(start).key()));
}

// A game whose scores after the line begin with six that a trial leaves out. The others say `score`
// for the side to move after the line.
GameRow Game(const std::string& line, int16_t score, Result result, size_t scores = 16) {
  GameRow game;
  game.moves = testing::ToyMoves(line);
  game.book_plies = static_cast<uint32_t>(game.moves.size());
  game.ending = {result, Termination::kNoLegalMove};
  while (game.scores.size() < scores) {
    const size_t i = game.scores.size();
    const auto own = static_cast<int16_t>(i % 2 == 0 ? score : -score);
    game.scores.push_back(score == kNoScore ? kNoScore : i < 6 ? int16_t{2000} : own);
  }
  return game;
}

// Adds the game as one whose moves differ from those of all games before it.
void Add(RunCalibration& calibration, GameRow game) {
  game.moves_hash = calibration.measured().games() + 1;
  calibration.Add(game);
}

TEST(RunCalibration, ComparesTheScoreOfATrialWithTheResult) {
  RunCalibration calibration = Make();
  Add(calibration, Game("a1 b1", kClear, Result::kFirstWins, 40));
  Add(calibration, Game("a1 b1", -kClear, Result::kSecondWins));
  const book::CalibrationFit fit = calibration.measured().Fit();
  EXPECT_EQ(fit.games, 2u);
  EXPECT_EQ(fit.groups, 1u);
  EXPECT_NEAR(fit.slope, 2, 1e-3);
  EXPECT_NEAR(fit.intercept, -0.5, 1e-3);
}

TEST(RunCalibration, ScoresAreThoseOfTheSideThatMovesFirst) {
  // After one ply the second side is to move; or it is at the start.
  for (const auto& [start, line] :
       {std::pair("90-95 b 1", "a1"), std::pair("90-95 w 1", "a1 b1")}) {
    RunCalibration calibration = Make(start);
    Add(calibration, Game(line, kClear, Result::kSecondWins));
    Add(calibration, Game(line, -kClear, Result::kFirstWins));
    EXPECT_NEAR(calibration.measured().Fit().slope, 2, 1e-3) << start;
  }
}

TEST(RunCalibration, GamesWithTheSameFourMovesAreAGroup) {
  RunCalibration calibration = Make();
  Add(calibration, Game("a1 b1 a1 b1 a1 b1", kClear, Result::kFirstWins));
  Add(calibration, Game("a1 b1 a1 b1 a2 b1", kClear, Result::kFirstWins));
  EXPECT_EQ(calibration.measured().Fit().groups, 1u);
  Add(calibration, Game("a1 b1 a1 b2", kClear, Result::kFirstWins));
  Add(calibration, Game("a1 b1", kClear, Result::kFirstWins));
  EXPECT_EQ(calibration.measured().Fit().groups, 3u);
}

TEST(RunCalibration, AGameWithoutATrialsScoresSaysNothing) {
  RunCalibration calibration = Make();
  Add(calibration, Game("a1 b1", kClear, Result::kFirstWins, 15));
  Add(calibration, Game("a1 b1", kNoScore, Result::kFirstWins));
  EXPECT_EQ(calibration.measured().games(), 0u);
  RunCalibration without_trials = Make("90-95 b 1", /*share=*/0);
  Add(without_trials, Game("a1 b1", kClear, Result::kFirstWins));
  EXPECT_FALSE(without_trials.measures());
  EXPECT_EQ(without_trials.measured().games(), 0u);
}

TEST(RunCalibration, ScoresThatResultsDoNotFollowEndTrials) {
  RunCalibration calibration = Make();
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(calibration.WhyNoTrials(), "");
    Add(calibration, Game("a1 b1", i % 2 == 0 ? kClear : -kClear,
                          i % 4 < 2 ? Result::kFirstWins : Result::kSecondWins));
  }
  EXPECT_EQ(calibration.WhyNoTrials(), "results do not follow the engine's scores");
}

TEST(RunCalibration, TheSameMovesCountOnce) {
  RunCalibration calibration = Make();
  GameRow game = Game("a1 b1", kClear, Result::kFirstWins);
  game.moves_hash = 5;
  for (int i = 0; i < 3; ++i) calibration.Add(game);
  EXPECT_EQ(calibration.measured().games(), 1u);
  game.moves_hash = 6;
  calibration.Add(game);
  EXPECT_EQ(calibration.measured().games(), 2u);
}

TEST(RunCalibration, TheFirstGamesAreMeasured) {
  RunCalibration calibration = Make();
  while (!calibration.full()) Add(calibration, Game("a1 b1", kClear, Result::kFirstWins));
  EXPECT_EQ(calibration.measured().games(), RunCalibration::kMostGames);
  Add(calibration, Game("a1 b2", kClear, Result::kFirstWins));
  EXPECT_EQ(calibration.measured().games(), RunCalibration::kMostGames);
  EXPECT_EQ(calibration.measured().Fit().groups, 1u);
  // A restart reads no more of them where games have no scores.
  RunCalibration mute = Make();
  for (uint64_t i = 0; i < RunCalibration::kMostGames; ++i) {
    EXPECT_FALSE(mute.full());
    Add(mute, Game("a1 b1", kNoScore, Result::kFirstWins));
  }
  EXPECT_TRUE(mute.full());
  EXPECT_EQ(mute.measured().games(), 0u);
}

}  // namespace
}  // namespace joseki::coordinator
