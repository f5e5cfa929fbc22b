#pragma once

#include <array>
#include <cstdint>

#include "engine/core/value.h"
#include "engine/shogi/eval/king_area.h"
#include "engine/shogi/eval/network.h"
#include "engine/shogi/eval/network_kernels.h"
#include "engine/shogi/eval/plain.h"
#include "engine/shogi/eval/recent.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// Parts of a learned value, in hundredths of a pawn, for the side to move.
struct LearnedTerms {
  int64_t plain = 0;    // the plain evaluation with its weights
  int64_t balance = 0;  // pieces and their squares, by the places of the kings
  int64_t safety = 0;   // squares beside the kings
  int64_t output = 0;   // of the output layer
  int stage = 0;        // index of the output layer used
  Value total = 0;
};

// Evaluates by a network, for the side to move, in hundredths of a pawn. It caches the positions
// evaluated last, by number of plies, and computes only the differences. The search need not report
// moves, and the value depends on the position alone.
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
  using Areas = std::array<KingArea, 2>;  // by the king's owner
  struct Sums {
    std::array<PlainSums, 2> plain;
    StepCounts steps;
    Areas areas;
    std::array<Side, 2> sides;
  };

  int32_t SafetyOf(const KingArea& area) const;
  void Reckon(const Position& position, Color side, const Areas& areas, Side& out) const;
  // Updates everything but the areas from the sums of `place`, which may be `now`.
  void Advance(const Position& position, Color side, const Changes& changes,
               const Recent<Sums>::Place& place, const Areas& areas, Side& out) const;
  int32_t BalanceOf(const Position& position, Color side, KingView view) const;

  const Network* network_;
  NetworkKernels kernels_;
  Recent<Sums> recent_;
};

}  // namespace joseki::shogi
