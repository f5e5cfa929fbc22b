#include "engine/shogi/eval/evaluator.h"

#include <algorithm>

#include "engine/shogi/eval/knowledge.h"

namespace joseki::shogi {

Value Evaluator::Evaluate(const Position& position) {
  const Value value = use_learned_ ? learned_.Evaluate(position) : plain_.Evaluate(position);
  if (terms_ == 0) return value;
  constexpr Value kMost = 20000;
  return std::clamp(value + EvaluateKnowledge(position, terms_), -kMost, kMost);
}

Value Evaluator::FirstMoveBonus(const Position& position, Move move) const {
  if (first_ply_bonus_ == 0) return 0;
  const bool provisional = (terms_ >> kFormationByStrategy & 1) != 0;
  return FirstMoveGain(position, move, provisional) * first_ply_bonus_ / 8;
}

void Evaluator::SetOptions(const EvaluationOptions& options) {
  use_learned_ = options.learned_evaluation != 0;
  terms_ = TermsOf(options);
  first_ply_bonus_ = options.first_ply_bonus;
}

}  // namespace joseki::shogi
