#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/search/search_impl.h"

namespace joseki {

// The time after which no iteration begins, by default the soft limit. It is less where the move
// has long been the same, more where the score has just fallen by `drop`; never beyond the hard
// limit.
template <Game G>
int64_t Search<G>::Papers::SoftLimit(int stable, Value drop) const {
  constexpr int kStableIterations = 4;
  const SearchLimits& limits = search_.limits_;
  if (options().score_drop > 0 && drop >= options().score_drop) {
    const int64_t twice = 2 * limits.soft_ms;
    return limits.hard_ms > 0 ? std::min(twice, limits.hard_ms) : twice;
  }
  if (options().stable_move > 0 && stable >= kStableIterations) {
    return limits.soft_ms * options().stable_move / 100;
  }
  return limits.soft_ms;
}

}  // namespace joseki
