#pragma once

#include "engine/search/papers/papers.h"

namespace joseki {
namespace search_internal {

// Distance of evaluation and material, at most (C. Ye's largest positional score). Ours.
inline constexpr Value kMaxPositional = 600;

}  // namespace search_internal

// Cuts of nodes and moves: razoring, ProbCut, history pruning, repetitions with other hands, and
// the papers' own forms of what the search does by default. Asks the mates of a node too.
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

  // Whether a move is left before the search's own futility is asked: by its history, or by the
  // forms of futility that papers have. `best` follows where the move has a bound.
  // REQUIRES: as Tree::IsTooLate.
  bool SkipsFirst(const Node& node, const Candidate& candidate, Value alpha, Value& best);
  // Whether a move is left after all else: as a sacrifice deep in the tree, or by its group where
  // YSS does not generate that.
  bool SkipsLast(const Node& node, const Candidate& candidate);

 private:
  bool TryProbCut(const Node& node, Value beta, Value& value);

  Tree& tree_;
};

}  // namespace joseki
