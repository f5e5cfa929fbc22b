#pragma once

#include <cstdint>

#include "engine/core/types.h"

namespace joseki {

// Moves that are tried before others of their kind, and what led to the node.
struct MoveHints {
  static constexpr int kMaxEarly = 8;

  Move killers[2] = {};
  Move counter = {};
  // Before everything but the table's move, where they are legal; before that too if it waits.
  Move early[kMaxEarly] = {};
  int early_count = 0;
  bool table_waits = false;
  // Before the other quiet moves, after killers and counter move.
  static constexpr int kMaxLate = 8;
  Move late[kMaxLate] = {};
  int late_count = 0;
  // Best reply of the other side to a pass: quiet moves that meet it go before the others.
  Move threat = {};
  Move next_threat = {};  // and after our answer to that; none without `threat`
  // The last move, where an order by groups asks for it.
  Move last = {};
  // The last move and the one before as the history's continuation knows them; 0: none.
  uint32_t earlier[2] = {0, 0};

  void AddLate(Move move) {
    if (move && late_count < kMaxLate) late[late_count++] = move;
  }
  void AddEarly(Move move) {
    if (move && early_count < kMaxEarly) early[early_count++] = move;
  }
};

}  // namespace joseki
