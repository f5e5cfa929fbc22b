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

// Looks for a mate by checks alone: depth-first proof-number search (A. Nagai, "Df-pn algorithm for
// searching AND/OR trees and its applications", thesis, University of Tokyo, 2002). Remedies of its
// known weaknesses, each with its source, are named in docs/reference/mate-search.md.
//
// A position that comes back on the path, or comes back with less in the attacker's hand, is a
// failure of the attacker; the rules agree, since a perpetual check loses. The game before
// `position` is ignored. Without time limits the same calls give the same results everywhere.
class MateSolver {
 public:
  // `table_bytes` rounded down to a power of two.
  explicit MateSolver(size_t table_bytes);
  ~MateSolver();

  // The attacker is the side to move. Blocks until the answer is known, a limit is reached or Stop
  // is called. Nothing is kept from one call to the next.
  MateResult Run(const Position& position, const MateLimits& limits);

  // Makes a running or the next Run return soon; any thread. Cleared by ClearStop.
  void Stop();
  void ClearStop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki::shogi
