#pragma once

#include "engine/search/options.h"

namespace joseki::xiangqi {

// What the search begins with in xiangqi: the defaults, but for what games of xiangqi have shown to
// be better (docs/laboratory/xiangqi.md). Whoever makes a Search<Xiangqi> sets these first.
inline constexpr SearchOptions kDefaultOptions = {.reverse_futility = 80};

}  // namespace joseki::xiangqi
