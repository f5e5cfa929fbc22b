#pragma once

#include "engine/search/papers/papers.h"

namespace joseki {
namespace search_internal {

// Largest distance between evaluation and material (C. Ye's largest positional score). Ours.
inline constexpr Value kMaxPositional = 600;

}  // namespace search_internal

// Cuts of nodes and moves: razoring, ProbCut, history pruning, repetitions with other hands, and
// the papers' own forms of what the search does by default. Also calls the mate searches of a node.
template <Game G>
class Search<G>::Papers::Cuts {
 public:
  explicit Cuts(Tree& tree) : tree_(tree) {}

  bool InUse() const;

  // Counts a placement that comes back with other hands as won or lost.
  bool EndsHere(int ply, Value& value);
  // Cuts before the null move: a mate by checks near the horizon and, out of check, razoring.
  bool CutsFirst(const Node& node, Value alpha, Value& value);
  // Cuts after the null move: ProbCut, and a mate in one where the table knows nothing.
  bool CutsLast(const Node& node, Value beta, Value& value);

  // Whether a move is skipped before the search's own futility test: by its history, or by the
  // papers' forms of futility. `best` is raised if the move has a bound. REQUIRES: as
  // Tree::IsTooLate.
  bool SkipsFirst(const Node& node, const Candidate& candidate, Value alpha, Value& best);
  // Whether a move is skipped after all other tests: a sacrifice deep in the tree, or a group that
  // YSS does not generate there.
  bool SkipsLast(const Node& node, const Candidate& candidate);

 private:
  bool TryProbCut(const Node& node, Value beta, Value& value);

  Tree& tree_;
};

}  // namespace joseki
