#pragma once

#include "engine/core/rules.h"
#include "engine/shogi/shogi_rules.h"

namespace joseki::testing {

inline const Rules& Shogi() { return shogi::ShogiRules(); }

// The move of a USI text; legality is not checked.
inline Move UsiMove(const char* text) { return *Shogi().MoveOf(text); }

}  // namespace joseki::testing
