#pragma once

#include "engine/search/options.h"

namespace joseki::xiangqi {

// Initial options of a xiangqi search: the defaults, except where its games have shown other values
// to be better (docs/laboratory/xiangqi.md). The creator of a Search<Xiangqi> sets these first.
inline constexpr SearchOptions kDefaultOptions = {.reverse_futility = 80};

}  // namespace joseki::xiangqi
