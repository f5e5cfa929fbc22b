#pragma once

#include <array>
#include <cstdint>

#include "engine/core/value.h"
#include "engine/eval/network.h"
#include "engine/eval/network_kernels.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// What a learned value is made of, in hundredths of a pawn, from the side to move.
struct LearnedTerms {
  int64_t plain = 0;    // the plain evaluation, as far as it counts
  int64_t balance = 0;  // pieces and places, by where the kings stand
  int64_t output = 0;   // of the network
  int stage = 0;        // that the output is for
  Value total = 0;
};

// Evaluates by a network, from the side to move, in hundredths of a pawn. Remembers the positions
// evaluated last, by the number of plies played, and reckons only what is different in the next:
// the search needs tell it nothing, and the value depends on the position alone.
class LearnedEvaluator {
 public:
  explicit LearnedEvaluator(const Network& network = BuiltInNetwork(), Isa isa = ProcessIsa());

  Value Evaluate(const Position& position) { return Explain(position).total; }
  LearnedTerms Explain(const Position& position);

 private:
  static constexpr int kBoardWords = 11;  // of 8 squares
  static constexpr int kSlots = 128;

  struct Side {
    alignas(32) std::array<int16_t, kWidth> sums;
    int32_t balance;
    KingView view;
  };
  // A position, as far as the inputs know it, with its accumulators.
  struct Slot {
    bool used = false;
    std::array<uint64_t, kBoardWords> board;
    std::array<Hand, 2> hands;
    std::array<Side, 2> sides;
  };
  struct Change {
    Piece before;
    Piece after;
    uint8_t square;
  };

  int Differences(const Slot& slot, const std::array<uint64_t, kBoardWords>& board) const;
  void Refresh(const Position& position, Color side, KingView view, Side& out) const;

  const Network* network_;
  NetworkKernels kernels_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace joseki::shogi
