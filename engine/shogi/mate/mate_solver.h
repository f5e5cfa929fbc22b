#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/core/mate_result.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

using joseki::MateLimits;
using joseki::MateResult;
using joseki::MateVerdict;

// Searches for a mate by checks alone: depth-first proof-number search (A. Nagai, "Df-pn algorithm
// for searching AND/OR trees and its applications", thesis, University of Tokyo, 2002).
// docs/reference/mate-search.md lists the remedies of its known weaknesses, with their sources.
//
// A repetition on the path, also with a smaller hand of the attacker, is a failure of the attacker.
// The rules agree, since perpetual check loses. The game before `position` is ignored.
// Deterministic without time limits.
class MateSolver {
 public:
  // `table_bytes` is rounded down to a power of two.
  explicit MateSolver(size_t table_bytes);
  ~MateSolver();

  // The attacker is the side to move. Blocks until the answer is known, a limit is reached or Stop
  // is called. Keeps no state between calls.
  MateResult Run(const Position& position, const MateLimits& limits);

  // Makes a running or the next Run return soon. May be called by any thread. Cleared by ClearStop.
  void Stop();
  void ClearStop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki::shogi
