#pragma once

#include <array>
#include <cstdint>

#include "engine/core/value.h"
#include "engine/eval/king_area.h"
#include "engine/eval/network.h"
#include "engine/eval/network_kernels.h"
#include "engine/eval/plain.h"
#include "engine/eval/recent.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// What a learned value is made of, in hundredths of a pawn, from the side to move.
struct LearnedTerms {
  int64_t plain = 0;    // the plain evaluation, as far as it counts
  int64_t balance = 0;  // pieces and places, by where the kings stand
  int64_t safety = 0;   // squares beside the kings
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
  struct Side {
    alignas(32) std::array<int16_t, kWidth> sums;
    int32_t balance;
    KingView view;
  };
  struct Sums {
    std::array<PlainSums, 2> plain;
    std::array<Side, 2> sides;
  };

  // An accumulator with what is beside the kings, which is never kept.
  struct WithAreas {
    alignas(32) std::array<int16_t, kWidth> sums;
    int16_t* data() { return sums.data(); }
    const int16_t* data() const { return sums.data(); }
  };

  // Of the side whose king's area `own` is.
  WithAreas AddAreas(const Side& side, const KingArea& own, const KingArea& other) const;
  int32_t SafetyOf(const KingArea& area) const;
  void Reckon(const Position& position, Color side, Side& out) const;
  void Advance(const Position& position, Color side, const Changes& changes,
               const std::array<Hand, 2>& hands_before, const Side& from, Side& out) const;
  int32_t BalanceOf(const Position& position, Color side, KingView view) const;

  const Network* network_;
  NetworkKernels kernels_;
  Recent<Sums> recent_;
};

}  // namespace joseki::shogi
