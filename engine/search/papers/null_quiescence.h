#pragma once

#include <cstdint>

#include "engine/search/papers/papers.h"

namespace joseki {

// Null-move (second-order) quiescence after D. Beal (1989) and C. Ye (1992), between the main
// search and the captures. If a pass reaches beta, the node is cut. Otherwise the value of the pass
// is a lower bound that the moves must beat.
//
// Options add what C. Ye leaves to others, or tried and rejected: deepening at its roots, futility,
// other extensions and singular ones. Another option evaluates below a root by material alone. The
// thesis does not say how that joins the positional value above; here the root's is carried down.
template <Game G>
class Search<G>::Papers::NullQuiescence {
 public:
  explicit NullQuiescence(Tree& tree) : tree_(tree) {}

  bool InUse() const;

  // Begins an iteration, which counts from 1; returns the plies of its main search. Any hooks, as
  // the next two.
  int BeginIteration(int iteration);
  // Depth of this search at an iteration's leaves, in plies; 0: none.
  int plies() const { return plies_; }
  // Key of the main search's entries. While this search has less than its final depth, an entry
  // holds for its present depth alone (C. Ye's table keeps both depths in an entry).
  Key MainKey(const Key& key) const { return {key.hi ^ phase_, key.lo}; }
  // Recalls only the move from an iteration with another depth. Hook `table`.
  void RecallMove(Node& node);

  // The value of a leaf of the main search. REQUIRES: plies() > 0.
  Value SearchLeaf(int ply, Value alpha, Value beta);
  // Whether only material is evaluated here, plus the positional value of the leaf above. Hook
  // `cut`.
  bool by_material() const { return by_material_; }
  Value EvaluateByMaterial() const;

 private:
  // `depth` in fractions of a ply.
  Value SearchNode(int ply, int depth, Value alpha, Value beta);
  Value Pass(int ply, Value alpha, Value beta);
  Value SearchMove(const Node& node, const Candidate& candidate, Value alpha, Value beta);
  bool Skips(const Node& node, Move move, Value alpha, Value& best);
  bool StandsAlone(const Node& node, Move move, Value value, Value beta);

  Tree& tree_;
  int plies_ = 0;
  uint64_t phase_ = 0;         // marks the main search's entries of this iteration
  uint64_t phase_before_ = 0;  // the same of the iteration before
  bool by_material_ = false;   // below a leaf of the main search, by its option
  Value position_value_ = 0;   // there: the evaluation without material, for the first side
};

}  // namespace joseki
