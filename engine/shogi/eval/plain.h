#pragma once

#include <array>

#include "engine/core/value.h"
#include "engine/shogi/eval/recent.h"
#include "engine/shogi/eval/sights.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// The plain evaluation, from the side to move: material on board and in hand, where pieces stand,
// how far sliders see, and how the kings are guarded and pressed. Integers only; the same for both
// colours seen from their own side. Written by hand: enough for sensible play at small node counts.
Value EvaluatePlain(const Position& position);

// Sums of a side, without those of sliders' sight.
struct PlainSums {
  int placed = 0;      // material on the board, places
  int press = 0;       // of the board upon the other king
  int guard = 0;       // of the own king
  int held = 0;        // material in hand
  int held_press = 0;  // of the hand

  bool operator==(const PlainSums&) const = default;
};

// Remembers the positions evaluated last, and reckons only what is different in the next; the
// values are EvaluatePlain's.
class PlainEvaluator {
 public:
  Value Evaluate(const Position& position);

 private:
  Recent<std::array<PlainSums, 2>> recent_;
};

// The sums of both sides, computed afresh.
std::array<PlainSums, 2> CollectPlain(const Position& position);
// Brings `sums`, of a position with those hands and kings from which `changes` lead to this one, up
// to date.
void AdvancePlain(const Position& position, const Changes& changes,
                  const std::array<Hand, 2>& hands_before,
                  const std::array<Square, 2>& kings_before, std::array<PlainSums, 2>& sums);
// EvaluatePlain of the position that has these sums.
Value FinishPlain(const Position& position, const std::array<PlainSums, 2>& sums);

// By how much `move` changes, for the side to move, where pieces stand, how they press the other
// king and guard the own: the moved one's and a taken one's, material apart; of a drop less what
// the piece is worth more in hand. 0 of a king's move. REQUIRES: `move` is legal.
Value KingPieceGain(const Position& position, Move move);

// Parts of the value.
struct PlainTerms {
  struct Side {
    int placed = 0;  // material, places, mobility
    int guard = 0;   // of the own king
    int danger = 0;  // to the other king
  };
  Side own;  // of the side to move
  Side other;
  int tempo = 0;    // for having the move
  Value total = 0;  // EvaluatePlain
};
PlainTerms ExplainPlain(const Position& position);
// The value of the position that has these sums and sights.
PlainTerms ExplainPlain(const Position& position, const std::array<PlainSums, 2>& sums,
                        const Sights& sights);

}  // namespace joseki::shogi
