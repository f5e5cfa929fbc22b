#pragma once

#include <cstdint>

#include "engine/search/limits.h"
#include "engine/search/root.h"

namespace joseki {

// Mates beyond the horizon: mate searches at the root, and after root moves that are about to be
// accepted. They have a small part of the search's nodes.
template <Game G>
class Search<G>::Root::Mates {
 public:
  explicit Mates(Tree& tree) : tree_(tree) {}

  // Allots nodes to the mate searches of a search: a small part of the limit, each and in total.
  void Begin();
  // Begins an iteration. Before the first iteration with mate searches, looks for a mate by the
  // side to move, of any length. True if one is proven: it is reported and in `result`, and the
  // search is over.
  bool BeginIteration(int depth, const SearchObserver& observer, SearchResult& result);
  // Searches for a mate by the other side after the move; once for each move and search.
  void LookForRefutation(search_internal::RootMove& root);
  // Replaces the best move if it was refuted before the interruption and no better one was known.
  // The next move in order without a refutation is taken, or the one with the longest mate.
  void LeaveIfRefuted(SearchResult& result);

 private:
  bool HasNodes() const;
  bool Finds(const SearchObserver& observer, SearchResult& result);
  MateProbe SearchPosition();

  Tree& tree_;
  bool doubting_ = false;    // this iteration searches for mates that refute root moves
  uint64_t nodes_ = 0;       // for each mate search; 0: none
  uint64_t nodes_left_ = 0;  // for all of them together
};

}  // namespace joseki
