#pragma once

#include "engine/core/rules.h"

namespace joseki::xiangqi {

// Xiangqi behind the Rules port, with Symmetries (mirror, turn, both). Lives as long as the
// program. Position text is FEN, move text UCCI.
const Rules& XiangqiRules();

}  // namespace joseki::xiangqi
