#include "engine/usi/time_control.h"

#include <algorithm>

namespace joseki::usi {
namespace {

// Time lost in pipes, networks and the user interface.
constexpr int64_t kMarginMs = 150;
constexpr int64_t kLeastMs = 10;
// A move takes 1 / kMovesToCome of the main time on average, and at most four times as much. The
// share is larger if fewer moves remain until the next time control.
constexpr int64_t kMovesToCome = 40;
// Of an even share, at least 1 / kKept is kept for each later move until the next time control.
constexpr int64_t kKept = 2;

}  // namespace

SearchLimits LimitsFor(const GoCommand& go, Color side) {
  SearchLimits limits;
  limits.nodes = go.nodes;
  limits.depth = go.depth;
  limits.ponder = go.ponder;
  if (go.infinite || go.ponder) return limits;
  if (go.movetime > 0) {
    limits.hard_ms = go.movetime;
  } else if (go.has_clock) {
    const int64_t remaining = go.clock.remaining[Index(side)];
    limits.clock_ms = remaining;
    const int64_t increment = go.clock.increment[Index(side)];
    const int64_t byoyomi = go.clock.byoyomi;
    const int64_t to_go = go.clock.moves_to_go > 0
                              ? std::min<int64_t>(go.clock.moves_to_go, kMovesToCome)
                              : kMovesToCome;
    const int64_t share = remaining / to_go;
    const int64_t kept = (to_go - 1) * share / kKept;
    // The increment comes after the move and cannot be spent before.
    const int64_t most = std::max(remaining - kept + byoyomi - kMarginMs, kLeastMs);
    limits.hard_ms = std::clamp(byoyomi - kMarginMs + 4 * share + increment, kLeastMs, most);
    // An iteration that would probably not finish is not started: it takes longer than all before
    // it.
    limits.soft_ms = std::clamp((byoyomi + share + increment) * 6 / 10, int64_t{1}, limits.hard_ms);
  }
  return limits;
}

}  // namespace joseki::usi
