#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/core/game.h"
#include "engine/core/types.h"

namespace joseki {

// What earlier nodes of this game teach about quiet moves. Indexed by moved piece and target
// square; drops apart, because a drop and a move of the same piece to a square mean different
// things.
template <Game G>
class History {
 public:
  static constexpr int kMax = 8192;

  void Clear() { std::memset(this, 0, sizeof *this); }

  int Quiet(int piece, Move move) const { return quiet_[move.is_drop()][piece][move.to()]; }
  // Moves the entry towards +-kMax by `bonus`, the less the nearer it is: it never overflows and
  // recent nodes outweigh old ones.
  void Update(int piece, Move move, int bonus) {
    int16_t& entry = quiet_[move.is_drop()][piece][move.to()];
    bonus = std::clamp(bonus, -kMax / 4, kMax / 4);
    const int size = bonus < 0 ? -bonus : bonus;
    entry = static_cast<int16_t>(entry + bonus - entry * size / kMax);
  }

  // The quiet move that refuted `previous`, made by `piece`; Move() if none is known.
  Move Counter(int piece, Move previous) const { return Move(counter_[piece][previous.to()]); }
  void SetCounter(int piece, Move previous, Move reply) {
    counter_[piece][previous.to()] = reply.raw();
  }

 private:
  int16_t quiet_[2][G::kPieceCount][G::kSquareCount];
  uint16_t counter_[G::kPieceCount][G::kSquareCount];
};

}  // namespace joseki
