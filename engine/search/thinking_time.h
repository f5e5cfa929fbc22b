#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/search/limits.h"
#include "engine/search/options.h"

namespace joseki {

// Duration of a search under a clock, from the results of its iterations. It is shorter if they
// agree on the move (StableMove), and longer if the score has just fallen (ScoreDrop, after C. Ye).
class ThinkingTime {
 public:
  ThinkingTime(const SearchOptions& options, const SearchLimits& limits)
      : options_(options), limits_(limits) {}

  // Reports a finished iteration with its move and value for the side to move.
  void Finished(Move best, Value value) {
    fallen_ = agreed_ > 0 ? value_ - value : 0;
    agreed_ = best == best_ ? agreed_ + 1 : 1;
    best_ = best;
    value_ = value;
  }

  // Milliseconds after which no iteration begins; never beyond the hard limit.
  int64_t SoftMs() const {
    constexpr int kAgreeing = 4;
    if (options_.score_drop > 0 && fallen_ >= options_.score_drop) {
      const int64_t twice = 2 * limits_.soft_ms;
      return limits_.hard_ms > 0 ? std::min(twice, limits_.hard_ms) : twice;
    }
    if (options_.stable_move > 0 && agreed_ >= kAgreeing) {
      return limits_.soft_ms * options_.stable_move / 100;
    }
    return limits_.soft_ms;
  }

 private:
  const SearchOptions& options_;
  const SearchLimits& limits_;
  Move best_;
  Value value_ = 0;
  Value fallen_ = 0;  // drop of the score from the iteration before to the last one
  int agreed_ = 0;    // successive iterations with the same move, up to the last one
};

}  // namespace joseki
