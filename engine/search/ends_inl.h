#pragma once

#include "engine/search/tree.h"

// Ends of lines: by the rules, and by the size of the tree.
namespace joseki {
namespace search_internal {

constexpr Value RepetitionValue(Repetition repetition, int ply) {
  switch (repetition) {
    case Repetition::kWin:
      return kValueRepetitionWin - ply;
    case Repetition::kLoss:
      return -kValueRepetitionWin + ply;
    default:
      return kValueZero;
  }
}

}  // namespace search_internal

// Whether the rules or the size of the tree end the line at this node; `value` is then its value.
template <Game G>
bool Search<G>::Tree::EndsHere(int ply, Value& value) {
  if (const Repetition r = G::CheckRepetition(evaluator_, pos_, ply); r != Repetition::kNone) {
    stack_.DependOnRepetition(ply);
    value = search_internal::RepetitionValue(r, ply);
    return true;
  }
  if (hooks_.cut && papers_.cuts.EndsHere(ply, value)) return true;
  if (budget_.limits().declaration && G::CanDeclareWin(pos_)) {
    value = MateIn(ply + 1);
    return true;
  }
  if (ply >= kMaxPly - 1) {
    value = evaluator_.Evaluate(pos_);
    return true;
  }
  return false;
}

}  // namespace joseki
