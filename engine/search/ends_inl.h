#pragma once

#include "engine/search/search_impl.h"

// Ends of lines: by the rules, and by the size of the tree.
namespace joseki {

// Whether the rules or the size of the tree end the line at this node; `value` is then its value.
template <Game G>
bool Search<G>::Impl::EndsHere(int ply, Value& value) {
  if (const Repetition r = G::CheckRepetition(evaluator_, pos_, ply); r != Repetition::kNone) {
    value = RepetitionValue(ply, r);
    return true;
  }
  if (hooks_.cut && papers_.cuts.EndsHere(ply, value)) return true;
  if (limits_.declaration && G::CanDeclareWin(pos_)) {
    value = MateIn(ply + 1);
    return true;
  }
  if (ply >= kMaxPly - 1) {
    value = evaluator_.Evaluate(pos_);
    return true;
  }
  return false;
}

// Records how far back the value depends: on the same position on the path, or before the root.
template <Game G>
Value Search<G>::Impl::RepetitionValue(int ply, Repetition repetition) {
  Frame& frame = FrameAt(ply);
  frame.depends = -1;
  for (int earlier = ply - 2; earlier >= 0; earlier -= 2) {
    if (FrameAt(earlier).key == frame.key) {
      frame.depends = earlier;
      break;
    }
  }
  switch (repetition) {
    case Repetition::kWin:
      return search_internal::kValueRepetitionWin - ply;
    case Repetition::kLoss:
      return -search_internal::kValueRepetitionWin + ply;
    default:
      return kValueZero;
  }
}

}  // namespace joseki
