#pragma once

#include "engine/core/rules.h"

namespace joseki::xiangqi {

// Xiangqi behind the Rules port, with Symmetries (mirror, turn, both); lives for ever. A position
// text is a FEN, a move's is UCCI's.
const Rules& XiangqiRules();

}  // namespace joseki::xiangqi
