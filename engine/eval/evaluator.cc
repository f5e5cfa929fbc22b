#include "engine/eval/evaluator.h"

#include "engine/eval/plain.h"

namespace joseki::shogi {

Value Evaluator::Evaluate(const Position& position) {
  return use_learned_ ? learned_.Evaluate(position) : EvaluatePlain(position);
}

}  // namespace joseki::shogi
