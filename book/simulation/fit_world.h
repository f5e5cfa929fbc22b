#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "book/simulation/world.h"

namespace joseki::book {

// What a run has seen of a move. Scores are expected ones, 0 to 1, of the side that plays it.
struct SeenMove {
  double share = 0;                  // of the position's games in the book that the run began with
  std::optional<double> evaluation;  // by a search
  double trials = 0;
  double mean = 0;  // of the trials
};

struct SeenRun {
  const Graph* graph = nullptr;  // the book that the run began with
  NodeId start = 0;
  std::vector<std::vector<SeenMove>> positions;  // the moves that were tried, of each position
  double spread = 0;       // standard deviation of a trial around the mean of its move
  double start_score = 0;  // of the side that moves first
  uint64_t games = 0;      // with a result
  uint64_t draws = 0;
};

struct FittedWorld {
  WorldOptions options;
  size_t positions = 0;  // with at least two moves of kLeastTrials trials, which the fit rests on
  size_t moves = 0;      // of them
};

// Trials that a move needs to be looked at, and positions that a fit needs.
inline constexpr double kLeastTrials = 4;
inline constexpr size_t kLeastPositions = 10;

// The world (world.h) whose books look like the run's, by moments, chance taken out:
//   mean_loss          the variance of siblings' worths, for one move that loses nothing and others
//                      whose losses are exponential have a variance of mean_loss^2
//   eval_deviation     the variance of what evaluations err by, within a position
//   human_temperature  the slope of worths over logarithms of shares, within a position
//   human_noise        what is left of these logarithms
// Size, depth and numbers of moves are those of the book where its players come. What nothing is
// known of stays as in "mild". FailedPrecondition "too_little" with fewer than kLeastPositions.
absl::StatusOr<FittedWorld> FitWorld(const SeenRun& run);

}  // namespace joseki::book
