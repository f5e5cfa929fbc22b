#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// Ends of a search, of which the first that is reached counts (0 means no such limit), and its
// rules.
struct SearchLimits {
  uint64_t nodes = 0;                   // exact: never one node more
  int depth = 0;                        // iterations
  int64_t soft_ms = 0;                  // no new iteration after this
  int64_t hard_ms = 0;                  // the search is broken off
  int lines = 1;                        // best moves that are told apart (USI: MultiPV)
  std::span<const Move> excluded = {};  // root moves that may not be chosen
  bool declaration = true;              // the match lets a side win by declaration
};

// Nodes below a move of the root in one iteration.
struct RootShare {
  Move move;
  uint64_t nodes = 0;
};

// Result of one finished iteration.
struct SearchInfo {
  int depth = 0;
  int line = 1;   // of `lines`, the best first
  int lines = 1;  // that are searched
  int seldepth = 0;
  Value value = 0;
  uint64_t nodes = 0;
  int64_t elapsed_ms = 0;
  int hashfull = 0;  // per mille
  std::span<const Move> pv;
  std::span<const RootShare> shares;  // of all moves of the root, the best first
};

struct SearchResult {
  Move best;    // Move() if there is no legal move that is not excluded, or with
                // `declare`
  Move ponder;  // Move() if the line ends
  Value value = 0;
  uint64_t nodes = 0;
  int depth = 0;  // last finished iteration
  // Part of the last finished iteration's nodes that lay below the best move.
  double best_share = 0;
  bool declare = false;  // the side to move wins by declaration
};

// Called after each iteration, on the searching thread.
using SearchObserver = std::function<void(const SearchInfo&)>;

}  // namespace joseki
