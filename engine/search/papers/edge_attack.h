#pragma once

#include "engine/search/papers/papers.h"

namespace joseki {

// An edge attack by the root's side (TACOS). Its first move is tried early where it might begin;
// below that move, those that belong to the attack are searched deeper.
template <Game G>
class Search<G>::Papers::EdgeAttack {
 public:
  explicit EdgeAttack(Tree& tree) : tree_(tree) {}

  // Finds whether the root is ripe for one.
  void Begin();
  bool InUse() const { return ripe_; }

  // Adds the first move to the hints of a node. Hook `order`.
  void AddHint(MoveHints& hints) const;
  // Note whether the nodes below belong to an attack: it goes on, or the move begins one with
  // enough depth left.
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
