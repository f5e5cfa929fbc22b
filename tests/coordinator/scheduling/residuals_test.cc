#include "coordinator/scheduling/residuals.h"

#include <cmath>
#include <string>

#include "base/rng.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

ResidualGame Game(book::Score score, book::Evidence before = {10, 0, 10, 0}) {
  ResidualGame game;
  game.termination = Termination::kNoLegalMove;
  game.plies = 100;
  game.nodes = 5000;
  game.think_ms = 10;
  game.scored = true;
  game.score = score;
  game.before = before;
  return game;
}

void Play(Residuals& residuals, const std::string& worker, double score, Rng& rng,
          int games = 1000) {
  for (int i = 0; i < games; ++i) {
    residuals.Add(worker, Game(rng.Unit() < score ? book::Score::kWin : book::Score::kLoss));
  }
}

TEST(Residuals, AreZeroWithoutGames) {
  const Residuals residuals;
  const WorkerResiduals none = residuals.Of("a", residuals.Measure());
  EXPECT_EQ(none.games, 0u);
  EXPECT_EQ(none.z, 0);
  EXPECT_EQ(none.p, 1);
}

TEST(Residuals, CountWhatGamesWereLike) {
  Residuals residuals;
  residuals.Add("a", Game(book::Score::kWin));
  residuals.Add("a", Game(book::Score::kDraw));
  ResidualGame stall;
  stall.termination = Termination::kStall;
  residuals.Add("a", stall);
  residuals.AddConflict("a");
  const WorkerResiduals sums = residuals.Of("a", residuals.Measure());
  EXPECT_EQ(sums.games, 2u);
  EXPECT_EQ(sums.time_losses, 1u);
  EXPECT_EQ(sums.conflicts, 1u);
  EXPECT_DOUBLE_EQ(sums.mean_plies, 100);
  EXPECT_DOUBLE_EQ(sums.nodes_per_second, 500'000);
  EXPECT_DOUBLE_EQ(sums.score, 0.75);
  EXPECT_DOUBLE_EQ(sums.expected, 0.5);
  EXPECT_EQ(residuals.Compared("a"), 2u);
}

TEST(Residuals, CompareNothingWhereLittleIsKnown) {
  Residuals residuals;
  residuals.Add("a", Game(book::Score::kWin, {1, 1, 1, 9}));
  ResidualGame without_line = Game(book::Score::kWin);
  without_line.scored = false;
  residuals.Add("a", without_line);
  EXPECT_EQ(residuals.Compared("a"), 0u);
  EXPECT_EQ(residuals.Of("a", residuals.Measure()).games, 2u);
}

TEST(Residuals, PointAtTheOneWhoPlaysOtherwise) {
  Residuals residuals;
  Rng rng(3);
  for (const char* worker : {"a", "b", "c", "d"}) Play(residuals, worker, 0.5, rng);
  Play(residuals, "weak", 0.4, rng);
  const Residuals::Yardstick yardstick = residuals.Measure();
  EXPECT_EQ(yardstick.workers, 5u);
  EXPECT_LT(residuals.Of("weak", yardstick).z, -4);
  EXPECT_LT(residuals.Of("weak", yardstick).p, 1e-3);
  for (const char* worker : {"a", "b", "c", "d"}) {
    EXPECT_GT(residuals.Of(worker, yardstick).p, 0.05) << worker;
  }
}

TEST(Residuals, AreForgotten) {
  Residuals residuals;
  Rng rng(3);
  for (const char* worker : {"a", "b", "c", "d"}) Play(residuals, worker, 0.5, rng);
  Play(residuals, "mended", 0.2, rng);
  residuals.Forget("mended");
  EXPECT_EQ(residuals.Measure().workers, 4u);
  EXPECT_EQ(residuals.Of("mended", residuals.Measure()).games, 0u);
  Play(residuals, "mended", 0.5, rng);
  EXPECT_GT(residuals.Of("mended", residuals.Measure()).p, 0.05);
}

TEST(Residuals, BlameNobodyForWhatAllAreOffBy) {
  Residuals residuals;
  Rng rng(3);
  for (const char* worker : {"a", "b", "c", "d"}) Play(residuals, worker, 0.4, rng);
  const Residuals::Yardstick yardstick = residuals.Measure();
  EXPECT_NEAR(yardstick.surplus, -0.1, 0.03);
  for (const char* worker : {"a", "b", "c", "d"}) {
    EXPECT_GT(residuals.Of(worker, yardstick).p, 0.05) << worker;
  }
}

TEST(Residuals, TellNobodyApartOfTwo) {
  Residuals residuals;
  Rng rng(3);
  Play(residuals, "a", 0.5, rng);
  Play(residuals, "b", 0.2, rng);
  EXPECT_LT(residuals.Of("b", residuals.Measure()).z, -4);
  EXPECT_EQ(residuals.Of("b", residuals.Measure()).p, 1);
}

TEST(Residuals, WeighAZByTheNumberOfWorkers) {
  Residuals residuals;
  Rng rng(5);
  for (const char* worker : {"a", "b", "c"}) Play(residuals, worker, 0.5, rng);
  Play(residuals, "weak", 0.45, rng);
  const WorkerResiduals of_few = residuals.Of("weak", {0, 3});
  const WorkerResiduals of_many = residuals.Of("weak", {0, 300});
  EXPECT_DOUBLE_EQ(of_few.z, of_many.z);
  const double alone = std::erfc(std::abs(of_few.z) / std::sqrt(2.0));
  EXPECT_NEAR(of_few.p, 1 - std::pow(1 - alone, 3), 1e-9);
  EXPECT_NEAR(of_many.p, 1 - std::pow(1 - alone, 300), 1e-9);
  EXPECT_LT(of_few.p, 0.05);
  EXPECT_GT(of_many.p, of_few.p);
}

}  // namespace
}  // namespace joseki::coordinator
