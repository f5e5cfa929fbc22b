#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "book/simulation/world.h"

namespace joseki::book {

// Observations of a move in a run. Scores are expected scores, 0 to 1, for the side that plays it.
struct SeenMove {
  double share = 0;                  // of the position's games in the initial book
  std::optional<double> evaluation;  // by a search
  double trials = 0;
  double mean = 0;  // mean score of the trials
};

struct SeenRun {
  const Graph* graph = nullptr;  // the run's initial book
  NodeId start = 0;
  std::vector<std::vector<SeenMove>> positions;  // tried moves, by position
  double spread = 0;       // standard deviation of a trial around its move's mean
  double start_score = 0;  // for the side that moves first
  uint64_t games = 0;      // with a result
  uint64_t draws = 0;
};

struct FittedWorld {
  WorldOptions options;
  size_t positions = 0;  // positions that the fit uses: at least two moves with kLeastTrials trials
  size_t moves = 0;      // moves in these positions
};

// Minimum trials of a move that is used, and minimum positions of a fit.
inline constexpr double kLeastTrials = 4;
inline constexpr size_t kLeastPositions = 10;

// Fits a world (world.h) whose books resemble the run's, by the method of moments, corrected for
// chance:
//   mean_loss          the variance of siblings' worths; one move that loses nothing and others
//                      with exponential losses have the variance mean_loss^2
//   eval_deviation     the variance of the errors of evaluations within a position
//   human_temperature  the slope of worths over logarithms of shares within a position
//   human_noise        the residual of these logarithms
// Size, depth and numbers of moves are those of the book where its players come. Parameters without
// data stay as in "mild". FailedPrecondition "too_little" with fewer than kLeastPositions.
absl::StatusOr<FittedWorld> FitWorld(const SeenRun& run);

}  // namespace joseki::book
