#include "engine/eval/evaluator.h"

namespace joseki::shogi {

Value Evaluator::Evaluate(const Position& position) {
  return use_learned_ ? learned_.Evaluate(position) : plain_.Evaluate(position);
}

}  // namespace joseki::shogi
