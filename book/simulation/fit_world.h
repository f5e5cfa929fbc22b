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
  double mean = 0;     // mean score of the trials
  bool grown = false;  // the initial book lacks the move
};

// The tried moves of a position.
struct SeenPosition {
  uint64_t nodes = 0;  // of its deepest search
  std::vector<SeenMove> moves;
};

struct SeenRun {
  const Graph* graph = nullptr;  // the run's initial book
  NodeId start = 0;
  std::vector<SeenPosition> positions;
  double spread = 0;       // standard deviation of a trial around its move's mean
  double start_score = 0;  // for the side that moves first
  uint64_t games = 0;      // with a result
  uint64_t draws = 0;
};

// Deviation of evaluations from trials within a position, by the nodes of its deepest search.
struct EvaluationError {
  uint64_t nodes = 0;    // least of its class: 0, 500, 2,000, 8,000, ...
  size_t moves = 0;      // in positions with two or more such moves
  double deviation = 0;  // standard deviation in centipawns, chance of trials taken out
};

struct FittedWorld {
  WorldOptions options;
  size_t positions = 0;  // positions that the fit uses: at least two moves with kLeastTrials trials
  size_t moves = 0;      // moves in these positions
  size_t grown = 0;      // of these, moves that the initial book lacks

  // Correlation of siblings: the part of the variance of worths that lies between positions. Worths
  // are those for the side to move, chance is taken out.
  double correlation = 0;
  std::vector<EvaluationError> errors;  // ascending by nodes
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
// The correlation of siblings and the errors by nodes are no parameters of a world; they stand
// beside them to show how far it resembles the run.
// Size, depth and numbers of moves are those of the book where its players come. Parameters without
// data stay as in "mild". FailedPrecondition "too_little" with fewer than kLeastPositions.
absl::StatusOr<FittedWorld> FitWorld(const SeenRun& run);

}  // namespace joseki::book
