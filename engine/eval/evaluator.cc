#include "engine/eval/evaluator.h"

#include <algorithm>

#include "engine/eval/knowledge.h"

namespace joseki::shogi {

Value Evaluator::Evaluate(const Position& position) {
  const Value value = use_learned_ ? learned_.Evaluate(position) : plain_.Evaluate(position);
  if (terms_ == 0) return value;
  constexpr Value kMost = 20000;
  return std::clamp(value + EvaluateKnowledge(position, terms_), -kMost, kMost);
}

}  // namespace joseki::shogi
