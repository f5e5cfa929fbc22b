#include "engine/usi/time_control.h"

#include <algorithm>

namespace joseki::usi {
namespace {

// What pipes, networks and the user interface may cost on the way.
constexpr int64_t kMarginMs = 150;
constexpr int64_t kLeastMs = 10;
// Of the main time a move takes this part on average, and at most four times as much. Or a larger
// one, where the clock is set anew before so many moves are played.
constexpr int64_t kMovesToCome = 40;

}  // namespace

SearchLimits LimitsFor(const GoCommand& go, Color side) {
  SearchLimits limits;
  limits.nodes = go.nodes;
  limits.depth = go.depth;
  if (go.infinite || go.ponder) return limits;
  if (go.movetime > 0) {
    limits.hard_ms = go.movetime;
  } else if (go.has_clock) {
    const int64_t remaining = go.clock.remaining[Index(side)];
    const int64_t increment = go.clock.increment[Index(side)];
    const int64_t byoyomi = go.clock.byoyomi;
    const int to_go = go.clock.moves_to_go;
    const int64_t share =
        remaining / (to_go > 0 ? std::min<int64_t>(to_go, kMovesToCome) : kMovesToCome);
    // The increment comes after the move: it cannot be spent before.
    const int64_t most = std::max(remaining + byoyomi - kMarginMs, kLeastMs);
    limits.hard_ms = std::clamp(byoyomi - kMarginMs + 4 * share + increment, kLeastMs, most);
    // The next iteration takes longer than all before it: the one that would not end is not begun.
    limits.soft_ms = std::clamp((byoyomi + share + increment) * 6 / 10, int64_t{1}, limits.hard_ms);
  }
  return limits;
}

}  // namespace joseki::usi
