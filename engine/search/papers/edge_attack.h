#pragma once

#include "engine/search/papers/papers.h"

namespace joseki {

// An edge attack by the root's side (TACOS): where it might begin, its first move is tried early,
// and the moves that belong to it are searched deeper below that one.
template <Game G>
class Search<G>::Papers::EdgeAttack {
 public:
  explicit EdgeAttack(Tree& tree) : tree_(tree) {}

  // Finds whether the root is ripe for one.
  void Begin();
  bool InUse() const { return ripe_; }

  // Adds the first move to the hints of a node. Hook `order`.
  void AddHint(MoveHints& hints) const;
  // Note which nodes below belong to an attack. One goes on there or begins with the move, if it
  // has depth to go on.
  void OnPlay(int ply, Move move);
  void OnPass(int ply);
  // The extension of a node's move, in fractions of a ply.
  int ExtensionOf(const Node& node, Move move);

 private:
  Tree& tree_;
  bool ripe_ = false;
  bool attacks_[kMaxPly + 1] = {};  // whether the line to each ply has begun an attack
};

}  // namespace joseki
