#pragma once

#include <array>

#include "engine/core/value.h"
#include "engine/shogi/eval/recent.h"
#include "engine/shogi/eval/sights.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// The plain evaluation, for the side to move: material on board and in hand, placement, mobility of
// sliders, and guard and pressure of the kings. Integers only; symmetric between colours.
// Hand-written and sufficient for sensible play at small node counts.
Value EvaluatePlain(const Position& position);

// Sums of one side, without the mobility of sliders.
struct PlainSums {
  int placed = 0;      // material on the board and placement
  int press = 0;       // of pieces on the board, against the other king
  int guard = 0;       // of the own king
  int held = 0;        // material in hand
  int held_press = 0;  // pressure of pieces in hand

  bool operator==(const PlainSums&) const = default;
};

// EvaluatePlain with a cache of the positions evaluated last; it computes only the differences.
class PlainEvaluator {
 public:
  Value Evaluate(const Position& position);

 private:
  Recent<std::array<PlainSums, 2>> recent_;
};

// The sums of both sides, computed from scratch.
std::array<PlainSums, 2> CollectPlain(const Position& position);
// Updates `sums` to this position by `changes` from a position with the given hands and kings.
void AdvancePlain(const Position& position, const Changes& changes,
                  const std::array<Hand, 2>& hands_before,
                  const std::array<Square, 2>& kings_before, std::array<PlainSums, 2>& sums);
// EvaluatePlain of the position with these sums.
Value FinishPlain(const Position& position, const std::array<PlainSums, 2>& sums);

// Change by `move`, for the side to move, of placement, pressure on the other king and guard of the
// own king, without material. It covers the moved and a captured piece; for a drop the excess of
// the hand value is subtracted. 0 for a king's move. REQUIRES: `move` is legal.
Value KingPieceGain(const Position& position, Move move);

// Parts of the value.
struct PlainTerms {
  struct Side {
    int placed = 0;  // material, placement, mobility
    int guard = 0;   // of the own king
    int danger = 0;  // to the other king
  };
  Side own;  // the side to move
  Side other;
  int tempo = 0;    // for having the move
  Value total = 0;  // EvaluatePlain
};
PlainTerms ExplainPlain(const Position& position);
// The value of the position with these sums and sights, in parts.
PlainTerms ExplainPlain(const Position& position, const std::array<PlainSums, 2>& sums,
                        const Sights& sights);

}  // namespace joseki::shogi
