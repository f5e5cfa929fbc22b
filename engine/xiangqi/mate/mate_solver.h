#pragma once

#include "engine/core/mate_result.h"
#include "engine/xiangqi/mate/mate_finder.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// Decides whether the side to move mates by checks alone, and gives the whole line. MateFinder is
// called again after every move of the line; `nodes` counts all these searches. kNoMate if the
// search ended without a mate. If every reply of the defender is mated, the line follows the
// longest defence.
class MateSolver {
 public:
  // Limits the search to this many plies; 0: no limit but the others.
  explicit MateSolver(int plies = 0) : plies_(plies) {}

  MateResult Run(const Position& position, const MateLimits& limits);

 private:
  int plies_;
  MateFinder finder_;
};

}  // namespace joseki::xiangqi
