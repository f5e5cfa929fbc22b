#include "book/simulation/fit_world.h"

#include <cmath>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
#include "book/tuning/exact_math.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

constexpr double kSpread = 0.17;

double ScoreOfMove(const World& world, const Graph::Edge& edge) {
  const double first = world.score[edge.to];
  return edge.mover == Color::kFirst ? first : 1 - first;
}

// A run's observations of the world's positions, with `trials` trials of each move.
SeenRun Seen(const World& world, double trials, uint64_t seed) {
  Rng rng(seed);
  SeenRun run;
  run.graph = world.graph.get();
  run.start = world.start;
  run.spread = kSpread;
  run.start_score = world.score[world.start];
  run.games = 1000;
  run.draws = 60;
  for (NodeId node = 0; node < world.graph->node_count(); ++node) {
    std::vector<SeenMove>& moves = run.positions.emplace_back().moves;
    for (const Graph::Edge& edge : world.graph->moves(node)) {
      const EdgeId id = world.graph->IdOf(edge);
      SeenMove& move = moves.emplace_back();
      move.share = world.shares[id];
      move.evaluation = (*world.priors)[id].value;
      move.trials = trials;
      move.mean = ScoreOfMove(world, edge) + kSpread / std::sqrt(trials) * Normal(rng);
    }
  }
  return run;
}

TEST(FitWorld, FindsWhatAWorldWasMadeWith) {
  for (const char* const name : {"mild", "tacos"}) {
    WorldOptions options = *NamedWorld(name);
    options.leaf_noise = 1;  // else positions near the ends are worth what it says
    const World world = MakeWorld(options, 3);
    const absl::StatusOr<FittedWorld> fitted = FitWorld(Seen(world, 64, 5));
    ASSERT_TRUE(fitted.ok()) << fitted.status();
    const WorldOptions& found = fitted->options;
    EXPECT_GT(fitted->positions, 100u);
    EXPECT_NEAR(found.mean_loss, options.mean_loss, 0.1 * options.mean_loss) << name;
    EXPECT_NEAR(found.eval_deviation, options.eval_deviation, 0.1 * options.eval_deviation) << name;
    EXPECT_NEAR(found.human_temperature, options.human_temperature, 0.2 * options.human_temperature)
        << name;
    EXPECT_NEAR(found.human_noise, options.human_noise, 0.15 * options.human_noise) << name;
    EXPECT_NEAR(found.start_worth, options.start_worth, 60) << name;
    EXPECT_NEAR(found.draws, 0.06, 1e-9);
    EXPECT_LE(found.least_moves, 3);
    EXPECT_GE(found.most_moves, 7);
    EXPECT_LE(found.depth, options.depth);
    EXPECT_GE(found.depth, options.depth / 2);
    EXPECT_NEAR(found.transposing, options.transposing, 0.03);
  }
}

// Few trials of a move say little, and siblings look as if they differed by more.
TEST(FitWorld, TakesChanceOut) {
  WorldOptions options;
  options.leaf_noise = 1;
  const World world = MakeWorld(options, 4);
  const FittedWorld many = *FitWorld(Seen(world, 256, 6));
  const FittedWorld few = *FitWorld(Seen(world, 8, 6));
  EXPECT_NEAR(few.options.mean_loss, many.options.mean_loss, 0.2 * many.options.mean_loss);
  SeenRun certain = Seen(world, 8, 6);
  certain.spread = 0;
  EXPECT_GT(FitWorld(certain)->options.mean_loss, 1.3 * few.options.mean_loss);
}

TEST(FitWorld, SaysHowAlikeSiblingsAre) {
  const World world = MakeWorld(WorldOptions(), 4);
  SeenRun run = Seen(world, 1e6, 6);
  const auto see = [&](double between, double within) {
    run.positions.assign(400, {});
    for (size_t i = 0; i < run.positions.size(); ++i) {
      const double mean = 0.5 + (i % 2 == 0 ? between : -between);
      for (const double sign : {-1.0, 1.0}) {
        SeenMove move;
        move.trials = 1e6;
        move.mean = mean + sign * within;
        run.positions[i].moves.push_back(move);
      }
    }
    return FitWorld(run)->correlation;
  };
  // A position's two moves differ by 2 w, which has the variance 2 w^2; positions have b^2.
  EXPECT_NEAR(see(0.05, 0), 1, 1e-3);
  EXPECT_NEAR(see(0, 0.05), 0, 1e-3);
  EXPECT_NEAR(see(0.05, 0.05), 0, 0.01);  // no more than siblings make of themselves
  EXPECT_NEAR(see(0.1, 0.05), 0.6, 0.03);
}

TEST(FitWorld, TakesChanceOutOfTheCorrelation) {
  WorldOptions options;
  options.mean_loss = 200;
  options.leaf_noise = 1;
  const World world = MakeWorld(options, 4);
  const double correlation = FitWorld(Seen(world, 256, 6))->correlation;
  EXPECT_GT(correlation, 0.1);
  EXPECT_NEAR(FitWorld(Seen(world, 8, 6))->correlation, correlation, 0.1);
}

TEST(FitWorld, TellsErrorsOfEvaluationsByTheirNodes) {
  const World world = MakeWorld(WorldOptions(), 4);
  SeenRun run = Seen(world, 1e6, 6);
  for (size_t i = 0; i < run.positions.size(); ++i) {
    const bool exact = i % 2 == 0;
    run.positions[i].nodes = exact ? 9'000 : i % 4 == 1 ? 2'000 : 499;
    for (SeenMove& move : run.positions[i].moves) {
      if (exact) move.evaluation = move.mean;
      move.grown = exact;
    }
  }
  const FittedWorld fitted = *FitWorld(run);
  ASSERT_EQ(fitted.errors.size(), 3u);
  EXPECT_EQ(fitted.errors[0].nodes, 0u);
  EXPECT_NEAR(fitted.errors[0].deviation, 80, 15);
  EXPECT_EQ(fitted.errors[1].nodes, 2'000u);
  EXPECT_NEAR(fitted.errors[1].deviation, 80, 15);
  EXPECT_EQ(fitted.errors[2].nodes, 8'000u);
  EXPECT_NEAR(fitted.errors[2].deviation, 0, 1);
  EXPECT_EQ(fitted.grown, fitted.errors[2].moves);
}

TEST(FitWorld, NeedsPositionsWithTrials) {
  const World world = MakeWorld(WorldOptions(), 3);
  SeenRun run = Seen(world, kLeastTrials - 1, 5);
  EXPECT_EQ(ProblemOf(FitWorld(run).status()).code, "too_little");
  run.positions.clear();
  EXPECT_EQ(ProblemOf(FitWorld(run).status()).code, "too_little");
}

}  // namespace
}  // namespace joseki::book
