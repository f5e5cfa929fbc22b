#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/core/game.h"
#include "engine/core/types.h"

namespace joseki {

// What earlier nodes of this game teach about moves: of a piece to a square; drops apart, because
// a drop and a move of the same piece to a square mean different things.
template <Game G>
class History {
 public:
  static constexpr int kMax = 8192;
  // A move as the tables of quiet moves know it; 0 for a pass.
  using Code = uint32_t;
  static constexpr Code kCodes = 1 + 2 * G::kPieceCount * G::kSquareCount;
  static Code CodeOf(int piece, Move move) {
    return 1 + static_cast<Code>((move.is_drop() * G::kPieceCount + piece) * G::kSquareCount +
                                 move.to());
  }

  void Clear() { std::memset(this, 0, sizeof *this); }

  int Quiet(Code code) const { return quiet_[code]; }
  // Moves the entry towards +-kMax by `bonus`, the less the nearer it is: it
  // never overflows and recent nodes outweigh old ones.
  void Update(Code code, int bonus) { Shift(quiet_[code], bonus); }

  // Of captures and promotions.
  int Capture(int piece, Move move) const { return capture_[piece][move.to()]; }
  void UpdateCapture(int piece, Move move, int bonus) { Shift(capture_[piece][move.to()], bonus); }

  // How a quiet move does after `earlier`, which was played one ply before
  // (distance 0) or two (distance 1). Entries are shared by chance: a quarter
  // of a megabyte serves all pairs of moves.
  int Continuation(int distance, Code earlier, Code code) const {
    return continuation_[distance][Slot(earlier, code)];
  }
  void UpdateContinuation(int distance, Code earlier, Code code, int bonus) {
    Shift(continuation_[distance][Slot(earlier, code)], bonus);
  }

  // The quiet move that refuted `previous`, made by `piece`; Move() if none is
  // known.
  Move Counter(int piece, Move previous) const { return Move(counter_[piece][previous.to()]); }
  void SetCounter(int piece, Move previous, Move reply) {
    counter_[piece][previous.to()] = reply.raw();
  }

 private:
  static constexpr int kSlotBits = 16;
  static_assert(kCodes <= Code{1} << kSlotBits);

  // Codes that lie together stay so: the moves of a node then share cache lines.
  static size_t Slot(Code earlier, Code code) {
    constexpr uint32_t kLine = 32;  // entries
    return (earlier * 0x9E3779B1u >> (32 - kSlotBits) & ~(kLine - 1)) ^ code;
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
