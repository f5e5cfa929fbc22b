#pragma once

#include <algorithm>
#include <cstdint>

namespace joseki {

namespace search_internal {

// Mark of keys in the table, multiplied by the plies that null-move quiescence lacks.
inline constexpr uint64_t kPhaseKey = 0x8F3C61D52A97E04Bu;

}  // namespace search_internal

// Depths of an iteration: so many plies with every move, then so many of null-move quiescence.
struct SearchPhase {
  int plies;
  int null_plies;
};

// The schedules of C. Ye's thesis, for null-move quiescence of `most` plies; `iteration` counts
// from 1. A pair has the plies of the main search, then those of null-move quiescence; here
// full_width is 2.
//   0  (1,0) (1,most) (2,most) ..              constant after a first iteration without it
//   1  (1,1) (1,2) .. (1,most) (2,most) ..     grows before the main search
//   2  (1,1) (2,1) (2,2) .. (2,most) (3,most)  grows after the first plies of the main search
//   3  (1,1) (2,1) (2,2) (2,3) ..              the main search stops at full_width
//   4  (1,1) (2,1) (2,2) (3,2) ..              by turns
// The first iteration of 0 brings the root's moves into order.
// The thesis leaves 3 and 4 open, for play by the clock; `most` is no limit in them.
constexpr SearchPhase PhaseOf(int schedule, int iteration, int most, int full_width) {
  if (most == 0) return {iteration, 0};
  if (schedule == 4) return {1 + iteration / 2, 1 + (iteration - 1) / 2};
  if (schedule == 3) {
    return {std::min(iteration, full_width), std::max(iteration - full_width + 1, 1)};
  }
  if (schedule == 0) return iteration == 1 ? SearchPhase{1, 0} : SearchPhase{iteration - 1, most};
  // Plies of the main search while the other one grows.
  const int first = schedule == 1 ? 1 : full_width;
  if (iteration <= first) return {iteration, 1};
  const int grown = iteration - first + 1;
  return grown <= most ? SearchPhase{first, grown} : SearchPhase{first + grown - most, most};
}

}  // namespace joseki
