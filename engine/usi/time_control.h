#pragma once

#include "engine/core/types.h"
#include "engine/search/limits.h"
#include "engine/usi/usi_text.h"

namespace joseki::usi {

// The limits of a search for `side` under `go`: the given ones, and a share of its clock. Pure.
SearchLimits LimitsFor(const GoCommand& go, Color side);

}  // namespace joseki::usi
