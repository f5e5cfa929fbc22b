#pragma once

#include "engine/core/rules.h"

namespace joseki::shogi {

// Shogi behind the Rules port, with Symmetries (the turned board). Lives as long as the program.
const Rules& ShogiRules();

}  // namespace joseki::shogi
