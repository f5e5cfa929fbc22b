#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/search/limits.h"
#include "engine/search/thinking_time.h"
#include "engine/search/tree.h"

namespace joseki {

// The search of one thread: iterative deepening over the root's moves. It reports iterations and
// ends when its time is up.
template <Game G>
class Search<G>::Root {
 public:
  using Position = typename G::Position;

  Root(size_t tt_bytes, int first_depth) : first_depth_(first_depth), tree_(tt_bytes) {}

  Tree& tree() { return tree_; }

  // Searches until a limit is reached, or the tree's budget is stopped.
  SearchResult Run(const Position& position, const SearchLimits& limits,
                   const SearchObserver& observer);
  // Reports the result of Run if more has been searched since its last report: an iteration that
  // was interrupted.
  void ReportResult(const SearchObserver& observer, const SearchResult& result);

 private:
  class Mates;  // mates beyond the horizon

  void CollectMoves(std::span<const Move> excluded);
  Value Iterate(int depth, const SearchObserver& observer, SearchResult& result);
  Value SearchWithAspiration(int depth, Value previous);
  Value SearchMoves(int depth, Value alpha, Value beta);
  // Reports `info`, of which it fills in what the tree knows.
  void Report(const SearchObserver& observer, SearchInfo info);

  int first_depth_;  // the first iteration
  Tree tree_;
  Mates mates_{tree_};
  std::optional<ThinkingTime> thinking_;
  Value window_alpha_ = -kValueInfinite;  // of the last search of the moves
  std::vector<Move> line_;                // the best one
  std::vector<RootShare> shares_;         // for an observer
  uint64_t reported_ = 0;                 // nodes at the last report
};

}  // namespace joseki
