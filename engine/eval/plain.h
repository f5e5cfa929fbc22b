#pragma once

#include "engine/core/value.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// The plain evaluation, from the side to move: material on board and in hand, where pieces stand,
// how far sliders see, and how the kings are guarded and pressed. Integers only; the same for both
// colours seen from their own side. Written by hand: enough for sensible play at small node counts.
Value EvaluatePlain(const Position& position);

// What it is made of.
struct PlainTerms {
  struct Side {
    int placed = 0;  // material, places, mobility
    int guard = 0;   // of the own king
    int danger = 0;  // to the other king
  };
  Side own;  // of the side to move
  Side other;
  Value total = 0;  // EvaluatePlain
};
PlainTerms ExplainPlain(const Position& position);

}  // namespace joseki::shogi
