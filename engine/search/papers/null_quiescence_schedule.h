#pragma once

#include <algorithm>
#include <cstdint>

namespace joseki {

namespace search_internal {

// Marks keys of the table, times the plies that null-move quiescence lacks.
inline constexpr uint64_t kPhaseKey = 0x8F3C61D52A97E04Bu;

}  // namespace search_internal

// Depths of an iteration: so many plies with every move, then so many of null-move quiescence.
struct SearchPhase {
  int plies;
  int null_plies;
};

// The schedules of C. Ye's thesis, for null-move quiescence of `most` plies;
// `iteration` counts from 1. 0: it stays and the main search grows, after one
// iteration without it that brings the root's moves into order: (1,0) (1,most)
// (2,most) .. 1: (1,1) (1,2) .. (1,most) (2,most) (3,most) .. 2: the main search
// first, to `full_width` plies, for two: (1,1) (2,1) (2,2) .. (2,most) (3,most) .. For play by the
// clock he leaves two more open, in which `most` is no limit. 3: the main search stops at
// `full_width`, for two: (1,1) (2,1) (2,2) (2,3) .. 4: by turns: (1,1) (2,1) (2,2) (3,2) ..
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
