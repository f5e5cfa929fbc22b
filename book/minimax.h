#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/types.h"

namespace joseki::book {

// Minimax over a book's graph, circles and all.
//
// A book's positions lead back to each other, and a value that is passed along a circle feeds
// itself. Here a game that never leaves the book is worth what a repetition is: `draw`, or, in a
// component in which every move of one side checks and not every one of the other's, a loss for the
// side that checks. Under that rule each position has one value, and it is found exactly, component
// by component (Tarjan): within one, positions are solved in the order of how far their value is
// from the repetition's, the furthest first, as endgame tables are built: a side takes the best it
// can reach, and suffers a value once every other move is known to be worse. Whatever is left
// repeats.

inline constexpr int32_t kNoTarget = -1;
// The value of a loss by perpetual check; other values lie between.
inline constexpr int32_t kLostValue = -32'000;

// Positions and their moves: those of position i are first[i] to first[i + 1].
struct MinimaxGraph {
  std::vector<uint32_t> first;  // one more than there are positions
  std::vector<uint8_t> second;  // by position: whether the second side moves
  std::vector<int32_t> to;      // by move: a position, or kNoTarget
  std::vector<int32_t> value;   // by move, from its mover: of one that leads nowhere
  std::vector<uint8_t> checks;  // by move: whether it gives check; may be empty
};

struct MinimaxValues {
  static constexpr uint32_t kRepeats = 0xffffffff;

  std::vector<int32_t> value;   // by position, from the side to move
  std::vector<uint32_t> plies;  // to the end of the line; kRepeats where it never ends
  // Components of more than one position, or of one that leads to itself, and the largest.
  uint32_t circles = 0;
  uint32_t largest = 0;
};

// REQUIRES: every position has a move; |value| and |draw| <= 32000. `draw` is what a repetition is
// worth for the first side.
MinimaxValues Minimax(const MinimaxGraph& graph, int32_t draw = 0);

// A move's value for its mover: -value of its target, or its own.
int32_t MoveValue(const MinimaxGraph& graph, const MinimaxValues& values, uint32_t move);

}  // namespace joseki::book
