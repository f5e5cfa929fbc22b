#pragma once

#include <cstdint>

#include "engine/core/types.h"

namespace joseki {

class Butterflies;

// Moves to try before others of their kind, and the moves that led to the node.
struct MoveHints {
  static constexpr int kMaxEarly = 8;

  Move killers[2] = {};
  Move counter = {};
  // Tried before all moves but the table's move, if legal; before that one too if it waits.
  Move early[kMaxEarly] = {};
  int early_count = 0;
  bool table_waits = false;
  uint8_t group_plies = 0;  // plies left, where an order by groups limits them; 0: it does not
  // Tried before the other quiet moves, after killers and counter move.
  static constexpr int kMaxLate = 8;
  Move late[kMaxLate] = {};
  int late_count = 0;
  // The other side's best reply to a pass; quiet moves that meet it are tried before the others.
  Move threat = {};
  Move next_threat = {};      // and its next move in that line; none without `threat`
  bool all_defences = false;  // tries all defences early, not only moves that meet them
  // The last move, if an order by groups needs it.
  Move last = {};
  // The last move and the one before as codes of the continuation history; 0: none.
  uint32_t earlier[2] = {0, 0};
  // Orders the other quiet moves in place of the histories; null: those do.
  const Butterflies* butterflies = nullptr;

  void AddLate(Move move) {
    if (move && late_count < kMaxLate) late[late_count++] = move;
  }
  void AddEarly(Move move) {
    if (move && early_count < kMaxEarly) early[early_count++] = move;
  }
};

}  // namespace joseki
