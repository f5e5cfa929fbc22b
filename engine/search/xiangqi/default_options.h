#pragma once

#include "engine/search/options.h"

namespace joseki::xiangqi {

// Options that a search of xiangqi begins with: the defaults, but for those that its games have
// shown to be better otherwise (docs/laboratory/xiangqi.md). The creator of a Search<Xiangqi> sets
// these first.
inline constexpr SearchOptions kDefaultOptions = {.reverse_futility = 80};

}  // namespace joseki::xiangqi
