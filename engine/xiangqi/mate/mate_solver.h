#pragma once

#include "engine/core/mate_result.h"
#include "engine/xiangqi/mate/mate_finder.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// Decides if the side to move mates by checks alone, with the whole line: MateFinder, asked again
// after every move of it, so that the nodes are those of all these searches. kNoMate if it came to
// an end without a mate. A line is given also for a position from which each reply of the other
// side is mated; the longest defence is in it.
class MateSolver {
 public:
  // Limits the search to this many plies; 0: as far as the limits last.
  explicit MateSolver(int plies = 0) : plies_(plies) {}

  MateResult Run(const Position& position, const MateLimits& limits);

 private:
  int plies_;
  MateFinder finder_;
};

}  // namespace joseki::xiangqi
