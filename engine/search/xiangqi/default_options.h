#pragma once

#include "engine/search/options.h"

namespace joseki::xiangqi {

// Initial options of a xiangqi search: the defaults, except where its games have shown other values
// to be better, or have not shown the default to be (docs/laboratory/xiangqi.md). The creator of a
// Search<Xiangqi> sets these first.
inline constexpr SearchOptions kDefaultOptions = {
    .reverse_futility = 80, .singular = 0, .multi_cut = 0};

}  // namespace joseki::xiangqi
