#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/core/game.h"
#include "engine/core/types.h"

namespace joseki {

// Statistics of moves from earlier nodes of this game, by piece and square. Drops are separate,
// because a drop and a move of a piece to the same square mean different things.
template <Game G>
class History {
 public:
  static constexpr int kMax = 8192;
  // A quiet move as an index of the tables; 0 for a pass.
  using Code = uint32_t;
  static constexpr Code kCodes = 1 + 2 * G::kPieceCount * G::kSquareCount;
  static Code CodeOf(int piece, Move move) {
    constexpr int kDrops = 1 + G::kPieceCount * G::kSquareCount;
    return static_cast<Code>((move.is_drop() ? kDrops : 1) + piece * G::kSquareCount + move.to());
  }

  void Clear() { std::memset(this, 0, sizeof *this); }

  int Quiet(Code code) const { return quiet_[code]; }
  // Moves the entry towards +-kMax by `bonus`, less the nearer it is. It thus never overflows, and
  // recent nodes outweigh old ones.
  void Update(Code code, int bonus) { Shift(quiet_[code], bonus); }

  // History of captures and promotions.
  int Capture(int piece, Move move) const { return capture_[piece][move.to()]; }
  void UpdateCapture(int piece, Move move, int bonus) { Shift(capture_[piece][move.to()], bonus); }

  // Success of a quiet move after `earlier`, the move one ply before (distance 0) or two (distance
  // 1). Pairs of moves share entries by hash: the table takes a quarter of a megabyte.
  int Continuation(int distance, Code earlier, Code code) const {
    return continuation_[distance][Slot(earlier, code)];
  }
  void UpdateContinuation(int distance, Code earlier, Code code, int bonus) {
    Shift(continuation_[distance][Slot(earlier, code)], bonus);
  }

  // Sums these tables for the quiet moves of one node; the part common to all moves is computed
  // once.
  class Outlook {
   public:
    // `own`: use the moves' own history. `earlier`: the moves one and two plies before; 0: none.
    Outlook(const History& history, bool own, const Code (&earlier)[2])
        : history_(history), own_(own ? -1 : 0) {
      for (int distance = 0; distance < 2; ++distance) {
        lines_[distance] = LineOf(earlier[distance]);
        follows_[distance] = earlier[distance] != 0 ? -1 : 0;
      }
    }
    int Of(Code code) const {
      return (history_.quiet_[code] & own_) +
             (history_.continuation_[0][lines_[0] ^ code] & follows_[0]) +
             (history_.continuation_[1][lines_[1] ^ code] & follows_[1]);
    }

   private:
    const History& history_;
    int own_;  // -1 or 0, as in follows_: masks the terms, which is cheaper than a branch
    int follows_[2];
    Code lines_[2];
  };

  // The quiet move that refuted `previous`, made by `piece`; Move() if none is known.
  Move Counter(int piece, Move previous) const { return Move(counter_[piece][previous.to()]); }
  void SetCounter(int piece, Move previous, Move reply) {
    counter_[piece][previous.to()] = reply.raw();
  }

 private:
  static constexpr int kSlotBits = 16;
  static_assert(kCodes <= Code{1} << kSlotBits);

  static size_t Slot(Code earlier, Code code) { return LineOf(earlier) ^ code; }
  // Adjacent codes stay adjacent, so that the moves of a node share cache lines.
  static Code LineOf(Code earlier) {
    constexpr uint32_t kLine = 32;  // entries
    return earlier * 0x9E3779B1u >> (32 - kSlotBits) & ~(kLine - 1);
  }
  static void Shift(int16_t& entry, int bonus) {
    bonus = std::clamp(bonus, -kMax / 4, kMax / 4);
    const int size = bonus < 0 ? -bonus : bonus;
    entry = static_cast<int16_t>(entry + bonus - entry * size / kMax);
  }

  int16_t quiet_[kCodes];
  int16_t capture_[G::kPieceCount][G::kSquareCount];
  alignas(64) int16_t continuation_[2][size_t{1} << kSlotBits];
  uint16_t counter_[G::kPieceCount][G::kSquareCount];
};

}  // namespace joseki
