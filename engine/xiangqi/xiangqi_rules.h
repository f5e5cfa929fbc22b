#pragma once

#include "engine/core/rules.h"
#include "engine/xiangqi/repetition.h"

namespace joseki::xiangqi {

// Xiangqi behind the Rules port, a Turning as well; one for each rule of repetition, and each lives
// for ever. A position text is a FEN, a move's is UCCI's.
const Rules& XiangqiRules(RepetitionRule rule = RepetitionRule::kAsian);

}  // namespace joseki::xiangqi
