#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/search/limits.h"
#include "engine/search/options.h"

namespace joseki {

// Duration of a search under a clock, from the results of its iterations. It is shorter if they
// agree on the move (StableMove), and longer if the score has just fallen (ScoreDrop). With
// ScoreDropMoves the drop is judged within an iteration, as in C. Ye's thesis.
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
    if (options_.score_drop > 0 && options_.score_drop_moves == 0 &&
        fallen_ >= options_.score_drop) {
      const int64_t twice = 2 * limits_.soft_ms;
      return limits_.hard_ms > 0 ? std::min(twice, limits_.hard_ms) : twice;
    }
    if (options_.stable_move > 0 && agreed_ >= kAgreeing) {
      return limits_.soft_ms * options_.stable_move / 100;
    }
    return limits_.soft_ms;
  }

  // ScoreDropMoves: whether the search ends with the root move that has just been searched, after
  // `elapsed_ms`. It does once the usual time is used up, unless `best`, the best score of the
  // running iteration, has fallen. It may then search so many more root moves, in as much time as
  // it has had, but none in time trouble. It never ends so before the first iteration has finished.
  bool EndsAfterMove(int64_t elapsed_ms, Value best) {
    if (options_.score_drop == 0 || options_.score_drop_moves == 0 || agreed_ == 0 ||
        limits_.soft_ms == 0 || elapsed_ms < SoftMs()) {
      return false;
    }
    if (best >= value_ - Tolerance() || InTrouble()) return true;
    if (alarm_ms_ < 0) {
      alarm_ms_ = elapsed_ms;
      return false;
    }
    return ++further_ >= options_.score_drop_moves || elapsed_ms >= 2 * alarm_ms_;
  }

 private:
  // Tolerated drop of the score; it grows as the game goes on.
  Value Tolerance() const {
    return options_.score_drop + options_.score_drop_growth * limits_.plies_before / 100;
  }
  bool InTrouble() const {
    constexpr int64_t kSecond = 1000;
    return limits_.clock_ms < options_.score_drop_trouble * kSecond;
  }

  const SearchOptions& options_;
  const SearchLimits& limits_;
  Move best_;
  Value value_ = 0;
  Value fallen_ = 0;       // drop of the score from the iteration before to the last one
  int64_t alarm_ms_ = -1;  // when the usual time was used up and the score had fallen
  int further_ = 0;        // root moves since
  int agreed_ = 0;         // successive iterations with the same move, up to the last one
};

}  // namespace joseki
