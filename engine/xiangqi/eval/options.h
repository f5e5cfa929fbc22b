#pragma once

#include <span>

#include "engine/core/number_option.h"

namespace joseki::xiangqi {

// Settings of the evaluation, each a switch that is off (engine/xiangqi/eval/ye_terms.h).
struct EvaluationOptions {
  int development = 0;
  int passed_pawns = 0;
  int opening_rules = 0;
};

using EvaluationOption = NumberOption<EvaluationOptions>;

// All fields, in the order in which they are declared to a user.
std::span<const EvaluationOption> EvaluationOptionTable();

}  // namespace joseki::xiangqi
