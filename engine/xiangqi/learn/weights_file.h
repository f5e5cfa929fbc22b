#pragma once

#include <string>

#include "engine/xiangqi/learn/fit.h"

namespace joseki::xiangqi {

// Text of engine/xiangqi/eval/weights.h: the fitted weights, rounded, with `how` as its comment.
// Deterministic.
std::string WeightsText(const FitResult& fit, const std::string& how);

}  // namespace joseki::xiangqi
