#pragma once

#include "engine/search/tree.h"

namespace joseki {

// The null move: a side that is fine even after passing will hardly fall below beta. A pass that
// does not reach beta shows the threat (YSS's regret moves).
template <Game G>
class Search<G>::Tree::NullMove {
 public:
  explicit NullMove(Tree& tree) : tree_(tree) {}

  // Whether a pass cuts the node; `value` is then a bound. REQUIRES: not in check.
  bool Cuts(Node& node, Value alpha, Value beta, Value& value);

  // Whether the node stands well enough to pass; whether it may.
  bool IsPromising(const Node& node, Value beta) const;
  bool IsAllowed(int ply) const;
  // Remaining depth after a pass; it shrinks as the evaluation exceeds beta.
  int DepthAfter(const Node& node, Value beta) const;
  // Value of a pass. Finds regret moves if it does not reach beta.
  template <bool kPv>
  Value SearchPass(int ply, int depth, Value low, Value beta);
  // Cuts the node after a pass has reached beta.
  bool CutByPass(int ply, Value beta, Value& value);

 private:
  void FindRegrets(int ply);

  Tree& tree_;
};

}  // namespace joseki
