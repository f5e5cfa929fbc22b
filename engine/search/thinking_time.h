#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/search/limits.h"
#include "engine/search/options.h"

namespace joseki {

// How long a search under a clock goes on, by what its iterations have found: less where they agree
// on the move (StableMove), more where the score has just fallen (ScoreDrop, after C. Ye).
class ThinkingTime {
 public:
  ThinkingTime(const SearchOptions& options, const SearchLimits& limits)
      : options_(options), limits_(limits) {}

  // An iteration is finished, with this move and value for the side to move.
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
  Value fallen_ = 0;  // from the iteration before to the last
  int agreed_ = 0;    // iterations in a row with the same move, the last one among them
};

}  // namespace joseki
