#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// Limits of a search, of which the first reached counts (0: no such limit), and its rules.
struct SearchLimits {
  uint64_t nodes = 0;                   // exact: never exceeded
  int depth = 0;                        // number of iterations
  int64_t soft_ms = 0;                  // no iteration starts after this
  int64_t hard_ms = 0;                  // the search is interrupted after this
  int lines = 1;                        // number of best moves to report (USI: MultiPV)
  std::span<const Move> excluded = {};  // root moves that may not be chosen
  bool declaration = true;              // the match allows a win by declaration
  int64_t clock_ms = 0;                 // left on the clock of the side to move; 0: no clock
  int plies_before = 0;                 // of the game, if it is known
  bool ponder = false;                  // the other side has not answered; the root is a guess
};

// Nodes below a root move in one iteration.
struct RootShare {
  Move move;
  uint64_t nodes = 0;
};

// Result of a finished iteration.
struct SearchInfo {
  int depth = 0;
  bool finished = true;  // false: with what came of the next iteration until it was interrupted
  int line = 1;          // rank among `lines`, from 1
  int lines = 1;         // number of lines searched
  int seldepth = 0;
  Value value = 0;
  uint64_t nodes = 0;
  int64_t elapsed_ms = 0;
  int hashfull = 0;  // per mille
  std::span<const Move> pv;
  std::span<const RootShare> shares;  // of all root moves, best first
};

struct SearchResult {
  Move best;    // Move() if `declare` is set, or if there is no legal move that is not excluded
  Move ponder;  // Move() if the line ends before
  Value value = 0;
  uint64_t nodes = 0;
  int depth = 0;  // last finished iteration
  // Share of the last finished iteration's nodes that were below the best move.
  double best_share = 0;
  bool declare = false;  // the side to move wins by declaration
};

// Called after each iteration, on the searching thread.
using SearchObserver = std::function<void(const SearchInfo&)>;

}  // namespace joseki
