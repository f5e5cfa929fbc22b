#pragma once

#include "engine/search/options.h"

namespace joseki::xiangqi {

// Initial options of a xiangqi search. They differ from the defaults where xiangqi games show
// another value to be better, or do not show the default to be (docs/laboratory/xiangqi.md). The
// creator of a Search<Xiangqi> sets these first.
inline constexpr SearchOptions kDefaultOptions = {
    .futility_base = 100, .futility_ply = 90, .prune_reduced = 0, .singular = 0, .multi_cut = 0};

}  // namespace joseki::xiangqi
