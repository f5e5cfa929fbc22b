#pragma once

#include <string>

#include "engine/xiangqi/learn/fit.h"

namespace joseki::xiangqi {

// The text of engine/xiangqi/eval/weights.h: what was fitted, rounded, with how as its comment.
// The same fit gives the same text.
std::string WeightsText(const FitResult& fit, const std::string& how);

}  // namespace joseki::xiangqi
