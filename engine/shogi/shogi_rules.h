#pragma once

#include "engine/core/rules.h"

namespace joseki::shogi {

// Shogi behind the Rules port, a Turning as well; lives for ever.
const Rules& ShogiRules();

}  // namespace joseki::shogi
