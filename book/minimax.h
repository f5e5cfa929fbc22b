#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/types.h"

namespace joseki::book {

// Minimax over the graph of a book that contains cycles.
//
// A game that never leaves the book has the value of a repetition. This value is `draw`, except in
// a component in which all moves of one side give check and some of the other side's do not. There
// the checking side loses.
//
// Under this rule each position has exactly one value, computed component by component (Tarjan).
// Within a component positions are solved as endgame tables are built, values furthest from the
// repetition's first. A side takes the best value that it can reach, and accepts a value once every
// other move is known to be worse. Positions that remain unsolved repeat.

inline constexpr int32_t kNoTarget = -1;
// The value of a loss by perpetual check; all others lie between it and its negative.
inline constexpr int32_t kLostValue = -32'000;

// Positions and their moves: position i has the moves first[i] to first[i + 1] - 1.
struct MinimaxGraph {
  std::vector<uint32_t> first;  // size: positions + 1
  std::vector<uint8_t> second;  // by position: whether the second side moves
  std::vector<int32_t> to;      // by move: a position, or kNoTarget
  std::vector<int32_t> value;   // by move, for its mover; used if `to` is kNoTarget
  std::vector<uint8_t> checks;  // by move: whether it gives check; may be empty (no move does)
};

struct MinimaxValues {
  static constexpr uint32_t kRepeats = 0xffffffff;

  std::vector<int32_t> value;   // by position, for the side to move
  std::vector<uint32_t> plies;  // to the end of the line; kRepeats where it never ends
  // Number of components with a cycle, and the number of positions of the largest.
  uint32_t circles = 0;
  uint32_t largest = 0;
};

// REQUIRES: every position has a move; |value| and |draw| <= 32000. `draw` is the value of a
// repetition for the first side.
MinimaxValues Minimax(const MinimaxGraph& graph, int32_t draw = 0);

// The value of a move for its mover: -value of its target, or its own where it has no target.
int32_t MoveValue(const MinimaxGraph& graph, const MinimaxValues& values, uint32_t move);

}  // namespace joseki::book
