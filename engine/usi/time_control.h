#pragma once

#include "engine/core/types.h"
#include "engine/search/limits.h"
#include "engine/usi/usi_text.h"

namespace joseki::usi {

// The limits of a search for `side` under `go`: those it names, and of its clock a share. Pure.
SearchLimits LimitsFor(const GoCommand& go, Color side);

}  // namespace joseki::usi
