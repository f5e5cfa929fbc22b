#pragma once

#include "engine/core/rules.h"

namespace joseki::shogi {

// Shogi behind the Rules port, with Symmetries (the turn); lives for ever.
const Rules& ShogiRules();

}  // namespace joseki::shogi
